#include "base/spec.hpp"

#include "base/error.hpp"

namespace ictus {
namespace {

constexpr int deepest_nesting = 16; // a typing error must end in a message, not in a stack overflow

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.' || c == '+' || c == '/' || c == '*';
}

/// Recursive descent over one text; `position_` is what an error points at.
class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    Spec whole() {
        Spec spec = value(0);
        skip_blanks();
        if (position_ != text_.size()) {
            fail("unexpected '" + std::string(1, text_[position_]) + "'");
        }
        return spec;
    }

private:
    Spec value(int depth) {
        if (depth > deepest_nesting) {
            fail("nested too deeply");
        }
        Spec spec{word(), {}};
        skip_blanks();
        if (peek() != '(') {
            return spec;
        }
        ++position_;
        skip_blanks();
        if (peek() == ')') {
            ++position_;
            return spec;
        }
        while (true) {
            spec.arguments.push_back(argument(depth));
            skip_blanks();
            const char c = peek();
            if (c != ',' && c != ')') {
                fail("expected ',' or ')'");
            }
            ++position_;
            if (c == ')') {
                return spec;
            }
        }
    }

    Argument argument(int depth) {
        Spec first = value(depth + 1);
        skip_blanks();
        if (peek() != '=') {
            return {"", std::move(first)};
        }
        if (!first.arguments.empty()) {
            fail("a key takes no parentheses");
        }
        ++position_;
        return {std::move(first.name), value(depth + 1)};
    }

    std::string word() {
        skip_blanks();
        const std::size_t begin = position_;
        while (position_ < text_.size() && is_word(text_[position_])) {
            ++position_;
        }
        if (begin == position_) {
            fail("expected a name or a value");
        }
        return std::string(text_.substr(begin, position_ - begin));
    }

    void skip_blanks() {
        while (position_ < text_.size() && is_blank(text_[position_])) {
            ++position_;
        }
    }

    [[nodiscard]] char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }

    [[noreturn]] void fail(const std::string& what) const {
        throw usage_error("'" + std::string(text_) + "': " + what + " at position " + std::to_string(position_ + 1));
    }

    std::string_view text_;
    std::size_t position_ = 0;
};

} // namespace

Spec parse_spec(std::string_view text) { return Parser(text).whole(); }

std::string to_string(const Spec& spec) {
    if (spec.arguments.empty()) {
        return spec.name;
    }
    std::string text = spec.name + "(";
    for (const Argument& argument : spec.arguments) {
        if (text.back() != '(') {
            text += ',';
        }
        if (!argument.key.empty()) {
            text += argument.key + "=";
        }
        text += to_string(argument.value);
    }
    return text + ")";
}

std::vector<std::string> split_list(std::string_view text) {
    std::vector<std::string> parts;
    int depth = 0;
    std::string part;
    const auto close = [&] {
        while (!part.empty() && is_blank(part.front())) {
            part.erase(part.begin());
        }
        while (!part.empty() && is_blank(part.back())) {
            part.pop_back();
        }
        if (part.empty()) {
            throw usage_error("'" + std::string(text) + "': an entry of the list is empty");
        }
        parts.push_back(part);
        part.clear();
    };
    for (const char c : text) {
        if (c == '(') {
            ++depth;
        }
        if (c == ')') {
            --depth;
        }
        if (c == ',' && depth == 0) {
            close();
        } else {
            part += c;
        }
    }
    close();
    return parts;
}

} // namespace ictus
