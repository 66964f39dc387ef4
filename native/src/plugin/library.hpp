// Plug-ins: libraries of users with operations (include/ictus/operation.h), loaded before the registry of operations is
// made. Afterwards each of their operations is a member like others.
#pragma once

#include "plugin/declaration.hpp"
#include "workload/operation/operation.hpp"

#include <span>
#include <string>

namespace ictus::plugin {

/// Loads the library at `path`. Throws a usage Error that names it and what is wrong: it is no library, it has no
/// operations, it is linked to another MPI, or an operation is declared wrongly.
void load(const std::string& path);

/// As members of the family; they live as long as the program. From now on nothing more is loaded.
[[nodiscard]] std::span<const OperationMember> members();

/// The library and declaration of a member that load() made.
[[nodiscard]] const Declaration& declaration_of(const OperationMember& member);

} // namespace ictus::plugin
