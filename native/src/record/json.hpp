// A streaming JSON writer: nested begin/end calls in, text out. It only writes; the core never reads JSON.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ictus::record {

/// Appends `text` as a JSON string with its quotes. Control characters are escaped; bytes that are no UTF-8 become
/// U+FFFD, because an environment variable or a file name may hold anything and the record must stay readable.
void append_json_string(std::string& out, std::string_view text);

/// A whole number that JSON can hold; characters and truth values are none.
template <class T>
concept JsonInteger = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;

/// Shorter lists of numbers are always written as such: documents of few ranks are read by people.
inline constexpr std::size_t packed_from = 256;

/// Writes one JSON value. Misuse (a value without its key, an end without its begin, a second root) is a mistake of the
/// caller and throws std::logic_error in every build type.
class JsonWriter {
public:
    /// `block` puts each item on a line of its own, `line` the whole object or array, with all that is in it, on one
    /// line.
    enum class Spacing { block, line };

    JsonWriter& begin_object(Spacing layout = Spacing::block) { return begin('{', layout); }
    JsonWriter& end_object() { return end('}'); }
    JsonWriter& begin_array(Spacing layout = Spacing::block) { return begin('[', layout); }
    JsonWriter& end_array() { return end(']'); }
    JsonWriter& key(std::string_view name);

    JsonWriter& value(std::string_view text);
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
    /// The shortest text that reads back as the same number; NaN and infinities, which JSON lacks, become null.
    JsonWriter& value(double number);
    /// Only bool itself: nothing else converts to it silently.
    template <std::same_as<bool> T>
    JsonWriter& value(T truth) {
        return literal(truth ? "true" : "false");
    }
    template <JsonInteger T>
    JsonWriter& value(T number) {
        if constexpr (std::is_signed_v<T>) {
            return signed_number(number);
        } else {
            return unsigned_number(number);
        }
    }
    template <class T>
    JsonWriter& value(const std::optional<T>& maybe) {
        return maybe ? value(*maybe) : null();
    }
    JsonWriter& null() { return literal("null"); }
    /// Splices a JSON value made elsewhere, as it is.
    JsonWriter& raw(std::string_view json) { return literal(json); }

    template <class T>
    JsonWriter& member(std::string_view name, const T& content) {
        return key(name).value(content);
    }
    /// A list of numbers or texts, all on one line.
    template <class T>
    JsonWriter& list(std::string_view name, const std::vector<T>& content) {
        return key(name).row(content);
    }
    /// A list of numbers of ranks, of pairs or of instants, which may be long: from `packed_from` numbers on, and where
    /// that is shorter, the bytes of the array in base64, `{"f8": "..."}` (file-format.md).
    JsonWriter& numbers(std::string_view name, const std::vector<double>& content) {
        return key(name).numbers_or_bytes(content);
    }
    JsonWriter& numbers(std::string_view name, const std::vector<int>& content) {
        return key(name).numbers_or_bytes(content);
    }
    /// A list of such lists, a line each.
    JsonWriter& number_rows(std::string_view name, const std::vector<std::vector<double>>& content) {
        return array(name, content, [this](const std::vector<double>& one) { numbers_or_bytes(one); });
    }
    /// A list of lists, a line each.
    template <class T>
    JsonWriter& matrix(std::string_view name, const std::vector<std::vector<T>>& content) {
        return array(name, content, [this](const std::vector<T>& one) { row(one); });
    }
    /// A list of what `write` writes of each item of `content`.
    template <class Content, class Write>
    JsonWriter& array(std::string_view name, const Content& content, Write write) {
        key(name).begin_array();
        for (const auto& item : content) {
            write(item);
        }
        return end_array();
    }
    /// The object of `maybe` with the members that `write` writes of it; without a value null.
    template <class T, class Write>
    JsonWriter& object(std::string_view name, const std::optional<T>& maybe, Write write) {
        key(name);
        if (!maybe) {
            return null();
        }
        begin_object();
        write(*maybe);
        return end_object();
    }

    /// The finished text, ending in a newline if `final_newline`. Throws if anything is still open or nothing was
    /// written.
    [[nodiscard]] std::string take(bool final_newline = false);

private:
    struct Scope {
        char closing;
        Spacing layout;
        bool empty = true;
    };

    template <class T>
    JsonWriter& row(const std::vector<T>& content) {
        begin_array(Spacing::line);
        for (const T& item : content) {
            value(item);
        }
        return end_array();
    }
    JsonWriter& numbers_or_bytes(const std::vector<double>& content);
    JsonWriter& numbers_or_bytes(const std::vector<int>& content);
    JsonWriter& begin(char opening, Spacing layout);
    JsonWriter& end(char closing);
    JsonWriter& literal(std::string_view json);
    JsonWriter& signed_number(std::int64_t number);
    JsonWriter& unsigned_number(std::uint64_t number);
    void before_value();
    void separate();
    void new_line(std::size_t depth);

    std::string out_;
    std::vector<Scope> scopes_;
    bool key_pending_ = false;
};

} // namespace ictus::record
