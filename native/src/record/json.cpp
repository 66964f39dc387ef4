#include "record/json.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>

namespace ictus::record {
namespace {

constexpr std::size_t indent = 2;

template <class Number>
std::string_view shortest(std::array<char, 32>& buffer, Number number) {
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    return {buffer.data(), static_cast<std::size_t>(result.ptr - buffer.data())};
}

std::string base64(std::span<const std::byte> bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t first = 0; first < bytes.size(); first += 3) {
        const std::size_t n = std::min<std::size_t>(3, bytes.size() - first);
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            group = group << 8 | (i < n ? std::to_integer<std::uint32_t>(bytes[first + i]) : 0U);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            text += i <= n ? digits[group >> (18 - 6 * i) & 63U] : '=';
        }
    }
    return text;
}

/// `{"f8": "..."}` of an array, where it is worth it and shorter than `list`; else empty.
template <class Number>
std::string packed(const std::vector<Number>& content, std::string_view type, std::string_view list) {
    static_assert(std::endian::native == std::endian::little);
    if (content.size() < packed_from) {
        return {};
    }
    std::string text = "{\"" + std::string(type) + "\": \"" + base64(std::as_bytes(std::span(content))) + "\"}";
    return text.size() < list.size() ? text : std::string();
}

template <class Number>
std::string as_list(const std::vector<Number>& content) {
    JsonWriter json;
    json.begin_array(JsonWriter::Spacing::line);
    for (const Number number : content) {
        json.value(number);
    }
    return json.end_array().take();
}

[[noreturn]] void misuse(const std::string& what) { throw std::logic_error("JSON writer: " + what); }

} // namespace

JsonWriter& JsonWriter::begin(char opening, Spacing layout) {
    before_value();
    out_ += opening;
    const bool inside_line = !scopes_.empty() && scopes_.back().layout == Spacing::line;
    scopes_.push_back({opening == '{' ? '}' : ']', inside_line ? Spacing::line : layout});
    return *this;
}

JsonWriter& JsonWriter::end(char closing) {
    if (scopes_.empty() || scopes_.back().closing != closing) {
        misuse(std::string("'") + closing + "' closes nothing that is open");
    }
    if (key_pending_) {
        misuse("an object ends after a key without its value");
    }
    const Scope scope = scopes_.back();
    scopes_.pop_back();
    if (!scope.empty && scope.layout == Spacing::block) {
        new_line(scopes_.size());
    }
    out_ += closing;
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    if (scopes_.empty() || scopes_.back().closing != '}' || key_pending_) {
        misuse("key \"" + std::string(name) + "\" outside of an object or after another key");
    }
    separate();
    append_json_string(out_, name);
    out_ += ": ";
    key_pending_ = true;
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
    before_value();
    append_json_string(out_, text);
    return *this;
}

JsonWriter& JsonWriter::value(double number) {
    std::array<char, 32> buffer;
    return std::isfinite(number) ? literal(shortest(buffer, number)) : null();
}

JsonWriter& JsonWriter::numbers_or_bytes(const std::vector<double>& content) {
    const std::string list = as_list(content);
    const std::string bytes = packed(content, "f8", list);
    return literal(bytes.empty() ? list : bytes);
}

JsonWriter& JsonWriter::numbers_or_bytes(const std::vector<int>& content) {
    static_assert(sizeof(int) == 4);
    const std::string list = as_list(content);
    const std::string bytes = packed(content, "i4", list);
    return literal(bytes.empty() ? list : bytes);
}

JsonWriter& JsonWriter::signed_number(std::int64_t number) {
    std::array<char, 32> buffer;
    return literal(shortest(buffer, number));
}

JsonWriter& JsonWriter::unsigned_number(std::uint64_t number) {
    std::array<char, 32> buffer;
    return literal(shortest(buffer, number));
}

JsonWriter& JsonWriter::literal(std::string_view json) {
    if (json.empty()) {
        misuse("an empty text is no value");
    }
    before_value();
    out_ += json;
    return *this;
}

std::string JsonWriter::take(bool final_newline) {
    if (!scopes_.empty() || out_.empty()) {
        misuse(out_.empty() ? "nothing was written" : "taken before everything was closed");
    }
    if (final_newline) {
        out_ += '\n';
    }
    return std::exchange(out_, {});
}

// A value stands alone as the root, after its key in an object, or after a comma in an array.
void JsonWriter::before_value() {
    if (scopes_.empty()) {
        if (!out_.empty()) {
            misuse("a second value beside the root");
        }
        return;
    }
    if (scopes_.back().closing == ']') {
        separate();
        return;
    }
    if (!key_pending_) {
        misuse("a value in an object without its key");
    }
    key_pending_ = false;
}

void JsonWriter::separate() {
    Scope& scope = scopes_.back();
    const bool first = std::exchange(scope.empty, false);
    if (!first) {
        out_ += ',';
    }
    if (scope.layout == Spacing::block) {
        new_line(scopes_.size());
    } else if (!first) {
        out_ += ' ';
    }
}

void JsonWriter::new_line(std::size_t depth) {
    out_ += '\n';
    out_.append(depth * indent, ' ');
}

namespace {

// Text to a JSON string. UTF-8 is checked as the Unicode standard's table 3-7 says (no overlong forms, no surrogates,
// nothing above U+10FFFF); each longest prefix that could have begun a character, or else each single byte, becomes one
// U+FFFD, so that the result equals what other languages' "replace" decoders give.

/// What a lead byte requires: how many bytes follow, and the range of the first of them.
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
