// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "record/format.hpp"
#include "record/tool/file_list.hpp"

namespace tsumugi::record::tool {

struct ConvertOptions {
    std::vector<std::string> inputs;
    std::string output;                // a file, a folder, "-" for standard output, or empty: beside each input
    std::optional<Format> format;      // by the name of the output when not given
    std::optional<Encoding> encoding;  // by the name of the output when not given
    CsaVersion csa_version = CsaVersion::v2_2;
    bool overwrite = false;
};

struct ConvertReport {
    std::size_t files = 0;
    std::size_t games = 0;    // converted
    std::size_t broken = 0;   // that could not be read
    std::size_t refused = 0;  // files that could not be read or written
};

// Converts everything that can be converted; each trouble is reported as it is met and the work goes on. `advance` is
// called after each input file with the number of all. The error is for what makes the whole request meaningless.
base::Result<ConvertReport> convert(const ConvertOptions& options,
                                    const std::function<void(const std::string&)>& complain,
                                    const std::function<void(std::size_t)>& advance);

}  // namespace tsumugi::record::tool
