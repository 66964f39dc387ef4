// A family's list of members, in plain sight in its registry.cpp. Adding a member: its file, one line there, its test.
#pragma once

#include "base/parameter.hpp"

#include <initializer_list>
#include <memory>

namespace ictus {

/// A member as its own file defines it: its description, and the function that makes one.
template <class Interface, class... Context>
struct Member : MemberInfo {
    std::unique_ptr<Interface> (*make)(const Bound& bound, Context... context);
};

template <class Interface, class... Context>
class Registry {
public:
    Registry(std::string_view name, std::string_view summary,
             std::initializer_list<const Member<Interface, Context...>*> members)
        : info_{name, summary, {members.begin(), members.end()}} {}
    Registry(std::string_view name, std::string_view summary,
             const std::vector<const Member<Interface, Context...>*>& members)
        : info_{name, summary, {members.begin(), members.end()}} {}

    [[nodiscard]] const FamilyInfo& info() const { return info_; }

    [[nodiscard]] std::unique_ptr<Interface> make(const Bound& bound, Context... context) const {
        // bind() found bound.info() in this family's list, so it is the base of one of our Members.
        return static_cast<const Member<Interface, Context...>&>(bound.info()).make(bound, context...);
    }

private:
    FamilyInfo info_;
};

} // namespace ictus
