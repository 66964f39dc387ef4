// Shared by the one-sided calls that change a window and return what it held before: the receive buffer has the window
// of this rank as its first block and what was fetched from the next rank's window as its second.
#pragma once

#include "workload/operation/one_sided.hpp"

namespace ictus::operation {

class Fetching : public OneSided {
protected:
    Fetching(const OperationMember& member, const Bound& bound, const CallSite& site, int sent_blocks)
        : OneSided(member, bound, site, WindowOf::received,
                   {.sent = Partition::equal(sent_blocks, site.count), .received = Partition::equal(2, site.count)}) {}

    static constexpr int window_block = 0;
    static constexpr int fetched_block = 1;

    [[nodiscard]] std::byte* fetched() const { return receive() + received().first(fetched_block) * bytes_per_unit(); }
};

/// Fetches the message that the next rank's window holds and reduces its own message into it. Each call continues from
/// the last result; the window starts with the message of the rank after the sender.
class FetchingReduction : public Fetching {
protected:
    FetchingReduction(const OperationMember& member, const Bound& bound, const CallSite& site)
        : Fetching(member, bound, require_operator_of_mpi(member, site), 1) {}

private:
    [[nodiscard]] BlockSource block_source(int block) const final {
        return block == window_block ? BlockSource{before(), before() + 2, 0} : BlockSource::rank(rank() + 1);
    }
    [[nodiscard]] std::optional<BlockSource> operand() const final { return BlockSource::rank(before() + 1); }
};

/// Calls of MPI that work on one element: as many as the message has elements, all in one epoch. `Derived` has
/// `int access(std::size_t element)`.
template <class Derived>
BoundCall for_each_element(Derived& one) {
    return BoundCall(
        +[](Derived* self) {
            int code = MPI_SUCCESS;
            for (std::size_t i = 0; i < self->n_elements() && code == MPI_SUCCESS; ++i) {
                code = self->access(i);
            }
            return code;
        },
        &one);
}

} // namespace ictus::operation
