// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/markup.hpp"

namespace tsumugi::report {

std::string escape_markup(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            case '\'': result += "&#39;"; break;
            default: result += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
        }
    }
    return result;
}

}  // namespace tsumugi::report
