// The member of an operation that is no one call of MPI: point-to-point and one-sided operations, exchanges of our own.
#pragma once

#include "workload/operation/form.hpp"

namespace ictus::operation {

/// `Made(member, bound, site)`, or `Made(member, site)` where there are no parameters. `mpi_name` is the call that
/// carries the data.
template <class Made>
constexpr OperationMember composed(std::string_view name, std::string_view mpi_name, const Traits& traits) {
    return {{{name, traits.summary, "", traits.parameters}, make_form<Made, true>},
            mpi_name,
            traits.volume,
            traits.rooted,
            traits.reduces,
            traits.varied,
            Form::blocking,
            name,
            traits.since,
            /*available=*/true,
            /*large=*/false,
            traits.n_blocks};
}

} // namespace ictus::operation
