// The grammar of names: `name(key=value, positional, nested(...))`, spelled the same on the command line, in plans, in
// output and in the docs (file-format.md). Parsing only: the registries know what a name means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ictus {

struct Argument;

/// A parsed name with its arguments. A plain value (`100`, `5us`) is a Spec without arguments.
struct Spec {
    std::string name;
    std::vector<Argument> arguments;
    friend bool operator==(const Spec&, const Spec&) = default;
};

/// One argument; `key` is empty when it is positional.
struct Argument {
    std::string key;
    Spec value;
    friend bool operator==(const Argument&, const Argument&) = default;
};

/// Parses one spec. Throws a usage Error that shows the text and the position.
[[nodiscard]] Spec parse_spec(std::string_view text);

/// The canonical text, which parses to the same spec.
[[nodiscard]] std::string to_string(const Spec& spec);

/// Splits at the commas that are outside all parentheses; trims blanks. Empty parts are usage errors.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text);

} // namespace ictus
