#include "plugin/library.hpp"

#include "base/defaults.hpp"
#include "plugin/operation.hpp"
#include "workload/operation/role.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace ictus::plugin {
namespace {

/// What has been loaded. Nothing in it moves: members and texts are referred to.
struct Loaded {
    std::deque<Library> libraries;
    std::deque<Declaration> declarations;
    std::vector<OperationMember> members;
};

Loaded& loaded() {
    static Loaded all;
    return all;
}

OperationMember member(const Declaration& declaration) {
    const OperationMember& collective = *operation::stood_for(declaration.operation->stands_for);
    OperationMember made{};
    made.name = declaration.operation->name;
    made.summary = declaration.operation->summary == nullptr ? "" : declaration.operation->summary;
    made.parameters = declaration.parameters;
    made.make = make_operation;
    made.mpi_name = made.name;
    made.volume = collective.volume;
    made.rooted = collective.rooted;
    made.reduces = collective.reduces;
    made.collective = made.name;
    made.in_place = declaration.operation->in_place != 0 ? collective.in_place : InPlace::never;
    made.large = true; // its count is a long long
    made.stands_for = collective.name;
    made.declaration = &declaration;
    return made;
}

} // namespace

void load(const std::string& path) {
    if constexpr (is_simulated) { // all ranks are in one process, and share what the library keeps
        throw wrong(path, "simulated ranks cannot load plug-ins");
    }
    Loaded& all = loaded();
    const Library& library = all.libraries.emplace_back(open_library(path));
    for (Declaration& one : declarations(library)) {
        const Declaration& declared = all.declarations.emplace_back(std::move(one));
        const std::string_view name = declared.operation->name;
        if (std::ranges::any_of(all.members, [&](const OperationMember& other) { return other.name == name; })) {
            throw wrong(path, "operation '" + std::string(name) + "' is declared twice");
        }
        all.members.push_back(member(declared));
    }
}

std::span<const OperationMember> members() { return loaded().members; }

const Declaration& declaration_of(const OperationMember& member) { return *member.declaration; }

} // namespace ictus::plugin
