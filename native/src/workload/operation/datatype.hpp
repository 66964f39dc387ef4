// Datatypes and reduction operators: their names in plans, and their MPI handles.
#pragma once

#include "workload/operation/payload.hpp"

#include <mpi.h>

#include <cstddef>
#include <span>
#include <string_view>

namespace ictus {

/// A reduction operator. `name` is its name in plans: `sum`, `bor`, or `user(sum)` for a function of ours
/// (reduction.hpp).
struct Operator {
    std::string_view name;
    std::string_view mpi_name;
    Arithmetic arithmetic; ///< the same operator for the payload, which knows no MPI
    MPI_Op (
        *handle)(); ///< a function, because handles are no constants in some MPI libraries; null: a function of ours

    [[nodiscard]] bool is_user_defined() const { return handle == nullptr; }
    [[nodiscard]] bool commutes() const { return arithmetic != Arithmetic::affine; }
};

/// A datatype. `name` is its name in plans: `double`, `byte`.
struct Datatype {

    std::string_view name;
    std::string_view mpi_name;
    std::size_t size_bytes;
    ElementKind kind;
    MPI_Datatype (*handle)();

    [[nodiscard]] Element element() const { return {kind, size_bytes}; }
};

[[nodiscard]] std::span<const Datatype> datatypes();
[[nodiscard]] std::span<const Operator> operators();
/// Throw usage Errors that list the known ones.
[[nodiscard]] const Datatype& find_datatype(std::string_view name);
[[nodiscard]] const Operator& find_operator(std::string_view name);
/// Whether MPI allows the operator on the datatype (MPI 3.1, sec. 5.9.2). MPI allows a user's function on every
/// datatype; for ours the same rule holds as for MPI's operators, except `affine`, which works on all.
[[nodiscard]] bool allows(const Datatype& datatype, const Operator& reduction);

} // namespace ictus
