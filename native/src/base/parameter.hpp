// The parameters of a family's members: each is declared once, with type, default, range and help, and checked here.
#pragma once

#include "base/spec.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ictus {

struct FamilyInfo;

/// The declaration of one parameter. `default_value` is text in the grammar of names.
struct Parameter {
    /// A `list` takes all positional arguments, whatever they are; it is a member's first parameter, and the others are
    /// given by name. Its default has no parentheses around it.
    enum class Type { count, real, duration, rate, size, flag, choice, member, text, list };

    std::string_view name;
    Type type;
    std::string_view default_value;
    std::string_view help;
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
    bool allows_auto = false;      ///< the word `auto` is a value too
    std::string_view choices = {}; ///< the allowed words, separated by blanks; of a number: words beside it
    /// Type member: the family that the value names a member of; type list: that of each value, which must not be
    /// missing.
    const FamilyInfo& (*family)() = nullptr;
};

[[nodiscard]] std::string_view to_string(Parameter::Type type);

/// What is known of a member without making one.
struct MemberInfo {
    std::string_view name;
    std::string_view summary;
    std::string_view source; ///< paper or book; empty where it is common knowledge
    std::span<const Parameter> parameters;
};

/// A family as data: `describe`, help and error messages are made from it.
struct FamilyInfo {
    std::string_view name;
    std::string_view summary;
    std::vector<const MemberInfo*> members;

    /// Throws a usage Error that lists the known members.
    [[nodiscard]] const MemberInfo& find(std::string_view member) const;
};

/// A member with every parameter filled in and checked.
class Bound {
public:
    [[nodiscard]] const MemberInfo& info() const { return *info_; }
    [[nodiscard]] std::uint64_t count(std::string_view parameter) const;
    /// A real, or a duration in seconds, or a rate as a plain ratio.
    [[nodiscard]] double real(std::string_view parameter) const;
    [[nodiscard]] bool flag(std::string_view parameter) const;
    [[nodiscard]] bool is_auto(std::string_view parameter) const;
    /// Whether the value of a number is one of the words that may replace it.
    [[nodiscard]] bool is_word(std::string_view parameter) const;
    [[nodiscard]] const std::string& text(std::string_view parameter) const;
    [[nodiscard]] const Bound& member(std::string_view parameter) const;
    [[nodiscard]] std::vector<Spec> list(std::string_view parameter) const;
    /// The full form: every parameter in declared order, by name but for the values of a list.
    [[nodiscard]] Spec spec() const;

private:
    friend Bound bind(const FamilyInfo&, const Spec&);
    [[nodiscard]] std::size_t index(std::string_view parameter) const;

    const MemberInfo* info_ = nullptr;
    std::vector<std::string> texts_; // one a parameter
    std::vector<Bound> nested_;      // one a parameter, filled for type member only
};

/// Checks `spec` against the family and fills in defaults. A key that the member lacks but exactly one of the members
/// nested in it has is passed on to that one. Throws a usage Error that names family, member, parameter, value and what
/// is allowed.
[[nodiscard]] Bound bind(const FamilyInfo& family, const Spec& spec);

/// Checks one value against its declaration; used for command-line options too. Errors name `what`.
void check_value(const Parameter& parameter, std::string_view text, const std::string& what);

} // namespace ictus
