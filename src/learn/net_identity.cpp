// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/net_identity.hpp"

#include "base/file.hpp"
#include "base/hash.hpp"
#include "eval/net.hpp"

namespace tsumugi::learn {

base::Result<std::string> net_identity(const std::string& name) {
    if (name.empty()) return std::string("built in");
    if (name == eval::material_name) return std::string("none");
    const auto bytes = base::read_file(name);
    if (!bytes) return bytes.error();
    return base::sha256_hex(*bytes);
}

}  // namespace tsumugi::learn
