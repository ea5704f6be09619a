// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/encoding.hpp"

#include <iconv.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>

#include "record/text/utf8.hpp"

namespace tsumugi::record {
namespace {

using base::Error;
using base::Result;

std::string_view byte_order_mark(Encoding encoding) {
    switch (encoding) {
        case Encoding::utf8:
        case Encoding::cp932: return "";
        case Encoding::utf8_bom: return "\xEF\xBB\xBF";
        case Encoding::utf16_le: return "\xFF\xFE";
        case Encoding::utf16_be: return "\xFE\xFF";
    }
    std::abort();  // unreachable: the switch names every value
}

const char* iconv_name(Encoding encoding) {
    switch (encoding) {
        case Encoding::utf8:
        case Encoding::utf8_bom: return "UTF-8";
        case Encoding::cp932: return "CP932";
        case Encoding::utf16_le: return "UTF-16LE";
        case Encoding::utf16_be: return "UTF-16BE";
    }
    std::abort();  // unreachable: the switch names every value
}

// Owns a conversion of the C library.
class Converter {
public:
    Converter(const char* to, const char* from) : handle_(iconv_open(to, from)) {}
    ~Converter() {
        if (usable()) iconv_close(handle_);
    }
    Converter(const Converter&) = delete;
    Converter& operator=(const Converter&) = delete;

    // iconv_open reports failure by the value -1, whatever type iconv_t has.
    [[nodiscard]] bool usable() const { return reinterpret_cast<std::intptr_t>(handle_) != -1; }

    // Converts what it can and returns how many bytes of the input that was; all of them on success.
    std::size_t convert(std::string_view input, std::string& output) {
        std::string source(input);  // iconv wants a mutable pointer although it does not write
        char* in = source.data();
        std::size_t in_left = source.size();
        std::array<char, 4096> block;
        while (in_left > 0) {
            char* out = block.data();
            std::size_t out_left = block.size();
            const std::size_t status = iconv(handle_, &in, &in_left, &out, &out_left);
            output.append(block.data(), block.size() - out_left);
            if (status == static_cast<std::size_t>(-1) && errno != E2BIG) break;
        }
        return input.size() - in_left;
    }

private:
    iconv_t handle_;
};

struct Conversion {
    std::string output;
    std::size_t converted = 0;
};

Result<Conversion> convert(std::string_view input, const char* to, const char* from) {
    Converter converter(to, from);
    if (!converter.usable())
        return Error{
            Error::Code::unsupported,
            fmt::format("this system cannot convert {} to {}; install the C library's gconv modules", from, to)};
    Conversion result;
    result.converted = converter.convert(input, result.output);
    return result;
}

// How many bytes are well-formed CP932; none where the system cannot tell.
std::size_t valid_cp932_prefix(std::string_view bytes) {
    const auto conversion = convert(bytes, "UTF-8", "CP932");
    return conversion ? conversion->converted : 0;
}

Error invalid_byte(std::string_view bytes, std::size_t offset, Encoding encoding) {
    return {Error::Code::syntax, fmt::format("byte {} (0x{:02X}) is not valid {}", offset,
                                             static_cast<unsigned char>(bytes[offset]), name(encoding))};
}

}  // namespace

std::string_view name(Encoding encoding) {
    switch (encoding) {
        case Encoding::utf8: return "UTF-8";
        case Encoding::utf8_bom: return "UTF-8 with byte order mark";
        case Encoding::cp932: return "Shift_JIS";
        case Encoding::utf16_le: return "UTF-16LE";
        case Encoding::utf16_be: return "UTF-16BE";
    }
    std::abort();  // unreachable: the switch names every value
}

Encoding detect_encoding(std::string_view bytes) {
    for (const Encoding marked : {Encoding::utf8_bom, Encoding::utf16_le, Encoding::utf16_be})
        if (bytes.starts_with(byte_order_mark(marked))) return marked;
    const auto invalid = text::first_invalid_utf8(bytes);
    if (!invalid) return Encoding::utf8;
    return valid_cp932_prefix(bytes) >= *invalid ? Encoding::cp932 : Encoding::utf8;
}

Result<std::string> decode(std::string_view bytes, Encoding encoding) {
    const std::string_view mark = byte_order_mark(encoding);
    const std::size_t skipped = bytes.starts_with(mark) ? mark.size() : 0;
    const std::string_view content = bytes.substr(skipped);
    if (encoding == Encoding::utf8 || encoding == Encoding::utf8_bom) {
        if (const auto invalid = text::first_invalid_utf8(content))
            return invalid_byte(bytes, skipped + *invalid, encoding);
        return std::string(content);
    }
    auto conversion = convert(content, "UTF-8", iconv_name(encoding));
    if (!conversion) return conversion.error();
    if (conversion->converted < content.size()) return invalid_byte(bytes, skipped + conversion->converted, encoding);
    return std::move(conversion->output);
}

Result<Decoded> decode(std::string_view bytes) {
    const Encoding encoding = detect_encoding(bytes);
    auto text = decode(bytes, encoding);
    if (!text) return text.error();
    return Decoded{std::move(*text), encoding};
}

Result<std::string> encode(std::string_view text, Encoding encoding) {
    if (const auto invalid = text::first_invalid_utf8(text)) return invalid_byte(text, *invalid, Encoding::utf8);
    std::string bytes(byte_order_mark(encoding));
    if (encoding == Encoding::utf8 || encoding == Encoding::utf8_bom) return bytes.append(text);
    const auto conversion = convert(text, iconv_name(encoding), "UTF-8");
    if (!conversion) return conversion.error();
    if (conversion->converted < text.size()) {
        const std::size_t at = conversion->converted;
        return Error{Error::Code::unsupported,
                     fmt::format("{} has no character for '{}' (byte {} of the text); write UTF-8 instead",
                                 name(encoding), text.substr(at, text::character_at(text, at).bytes), at)};
    }
    return bytes.append(conversion->output);
}

}  // namespace tsumugi::record
