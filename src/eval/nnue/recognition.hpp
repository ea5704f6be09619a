// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "eval/nnue/file.hpp"

namespace tsumugi::eval::nnue {

// Finds the architecture of a classic file from the size of what follows the header text, and notes in the header what
// spoke for it and whether section hashes are there.
base::Result<Architecture> recognise_classic(Header& header, std::span<const std::byte> body, std::string_view feature);

// Whether a name found in a file or given by a user means this feature set.
bool names_feature(std::string_view name, const FeatureInfo& feature);

// The part of a header text between `Features=` and the bracket that follows it.
std::string_view feature_in_text(std::string_view header_text);

}  // namespace tsumugi::eval::nnue
