// Operations that consist of others (repeated, sequence): their properties follow from these. They can be used wherever
// an operation can. Each inner operation has the same total volume n, by its own convention: a message of n, or blocks
// of n/p, rounded up (docs/decisions/0024).
#pragma once

#include "workload/operation/operation.hpp"

#include <vector>

namespace ictus::operation {

/// The properties of an operation with its arguments; of one that consists of others:
///     volume               of the one that moves data; a message of n where several do
///     rooted, reduces, ... if one of them is
///     in place, available  if all that move data can be, if all are
[[nodiscard]] OperationMember traits(const Bound& call);

/// The calls of MPI in their order, each once however often it is repeated; `call` itself if it consists of no others.
[[nodiscard]] std::vector<Bound> leaves(const Bound& call);

/// Of a total volume of `n_units`: what its message has, or one of its blocks.
[[nodiscard]] std::uint64_t units_per_block(const Bound& call, std::uint64_t n_units, int n_ranks);
/// The same of the largest buffer really used by one rank.
[[nodiscard]] std::uint64_t largest_buffer_units(const Bound& call, std::uint64_t n_units, int n_ranks);

/// `mismatch`, if there is one, with its location in front.
[[nodiscard]] std::optional<Mismatch> found_in(const std::string& where, std::optional<Mismatch> mismatch);

template <class Made>
std::unique_ptr<Operation> make_nesting(const Bound& bound, const CallSite& site) {
    return std::make_unique<Made>(bound, site);
}

/// The member of an operation that consists of those that `nested` says: `Made(bound, site)`.
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
