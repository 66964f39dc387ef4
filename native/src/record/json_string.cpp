// Text to a JSON string. UTF-8 is checked as the Unicode standard's table 3-7 says (no overlong forms, no surrogates,
// nothing above U+10FFFF); each longest prefix that could have begun a character, or else each single byte, becomes one
// U+FFFD, so that the result equals what other languages' "replace" decoders give.
#include "record/json.hpp"

namespace ictus::record {

namespace {

/// What a lead byte asks for: how many bytes follow, and the range of the first of them.
struct Lead {
    std::size_t following;
    unsigned char low = 0x80;
    unsigned char high = 0xBF;
};

constexpr std::size_t invalid = 0;

Lead lead_of(unsigned char byte) {
    if (byte < 0xC2 || byte > 0xF4) { // continuation bytes, overlong C0 and C1, and leads beyond U+10FFFF
        return {invalid};
    }
    if (byte < 0xE0) {
        return {1};
    }
    if (byte < 0xF0) {
        return {2, static_cast<unsigned char>(byte == 0xE0 ? 0xA0 : 0x80),
                static_cast<unsigned char>(byte == 0xED ? 0x9F : 0xBF)};
    }
    return {3, static_cast<unsigned char>(byte == 0xF0 ? 0x90 : 0x80),
            static_cast<unsigned char>(byte == 0xF4 ? 0x8F : 0xBF)};
}

void append_ascii(std::string& out, unsigned char byte) {
    static constexpr std::string_view digits = "0123456789abcdef";
    switch (byte) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
    }
    if (byte < 0x20) {
        out += "\\u00";
        out += digits[byte >> 4];
        out += digits[byte & 0xF];
    } else {
        out += static_cast<char>(byte);
    }
}

/// Appends the character that begins at `text` (which is not empty), or U+FFFD; returns how many bytes that used up.
std::size_t append_beyond_ascii(std::string& out, std::string_view text) {
    const Lead lead = lead_of(static_cast<unsigned char>(text.front()));
    std::size_t length = 1;
    unsigned char low = lead.low;
    unsigned char high = lead.high;
    while (length <= lead.following && length < text.size()) {
        const auto byte = static_cast<unsigned char>(text[length]);
        if (byte < low || byte > high) {
            break;
        }
        low = 0x80;
        high = 0xBF;
        ++length;
    }
    if (lead.following != invalid && length == lead.following + 1) {
        out += text.substr(0, length);
    } else {
        out += "\xEF\xBF\xBD";
    }
    return length;
}

} // namespace

void append_json_string(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const auto byte = static_cast<unsigned char>(text.front());
        std::size_t used = 1;
        if (byte < 0x80) {
            append_ascii(out, byte);
        } else {
            used = append_beyond_ascii(out, text);
        }
        text.remove_prefix(used);
    }
    out += '"';
}

} // namespace ictus::record
