#include "record/json.hpp"

#include <array>
#include <charconv>
#include <cmath>
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

[[noreturn]] void misuse(const std::string& what) { throw std::logic_error("JSON writer: " + what); }

} // namespace

JsonWriter& JsonWriter::begin(char opening, Layout layout) {
    before_value();
    out_ += opening;
    const bool inside_line = !scopes_.empty() && scopes_.back().layout == Layout::line;
    scopes_.push_back({opening == '{' ? '}' : ']', inside_line ? Layout::line : layout});
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
    if (!scope.empty && scope.layout == Layout::block) {
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
    if (scope.layout == Layout::block) {
        new_line(scopes_.size());
    } else if (!first) {
        out_ += ' ';
    }
}

void JsonWriter::new_line(std::size_t depth) {
    out_ += '\n';
    out_.append(depth * indent, ' ');
}

} // namespace ictus::record
