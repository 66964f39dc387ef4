// Operations that consist of other operations (repeated, sequence); their properties follow from the inner ones. They
// can be used wherever an operation can. Each inner operation has the same total volume n, by its own convention: a
// message of n, or blocks of n/p, rounded up (docs/decisions/0024).
#pragma once

#include "workload/operation/operation.hpp"

#include <vector>

namespace ictus::operation {

/// The properties of an operation with its arguments. Of an operation that consists of others:
///     volume               that of the inner operation that moves data; a message of n where several do
///     rooted, reduces, ... where an inner operation is or does so
///     in place             where all inner operations that move data allow it
///     available            where all inner operations are
[[nodiscard]] OperationMember traits(const Bound& call);

/// The calls of MPI in their order, a repeated one only once; `call` itself if it has no inner operations.
[[nodiscard]] std::vector<Bound> leaves(const Bound& call);

/// Units of the message, or of one block, for a total volume of `n_units`.
[[nodiscard]] std::uint64_t units_per_block(const Bound& call, std::uint64_t n_units, int n_ranks);
/// The same for the largest buffer that a rank really uses.
[[nodiscard]] std::uint64_t largest_buffer_units(const Bound& call, std::uint64_t n_units, int n_ranks);

/// `mismatch`, if there is one, with its location in front.
[[nodiscard]] std::optional<Mismatch> found_in(const std::string& where, std::optional<Mismatch> mismatch);

template <class Made>
std::unique_ptr<Operation> make_nesting(const Bound& bound, const CallSite& site) {
    return std::make_unique<Made>(bound, site);
}

/// The member of an operation that consists of the operations that `nested` names: `Made(bound, site)`.
template <class Made>
constexpr OperationMember nesting(std::string_view name, std::string_view summary,
                                  std::span<const Parameter> parameters, std::vector<Bound> (*nested)(const Bound&)) {
    OperationMember member{};
    member.name = name;
    member.summary = summary;
    member.parameters = parameters;
    member.make = make_nesting<Made>;
    member.mpi_name = name;
    member.volume = Volume::nested;
    member.collective = name;
    member.nested = nested;
    return member;
}

} // namespace ictus::operation
