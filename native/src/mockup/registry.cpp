#include "mockup/algorithm.hpp"

#include <algorithm>

namespace ictus::mockup {

extern const Algorithm allgather_as_allreduce, allgather_as_alltoall, allgather_as_gather_and_bcast,
    allreduce_as_reduce_and_bcast, allreduce_as_reduce_scatter_block_and_allgather, barrier_as_allreduce,
    bcast_as_scatter_and_allgather, bcast_as_sends, gather_as_allgather, gather_as_reduce, reduce_as_allreduce,
    reduce_as_receives, reduce_as_reduce_scatter_and_gatherv, reduce_as_reduce_scatter_block_and_gather,
    reduce_scatter_as_allreduce, reduce_scatter_as_reduce_and_scatterv, reduce_scatter_block_as_reduce_and_scatter,
    scan_as_exscan_and_reduce_local, scatter_as_bcast;

std::span<const Algorithm* const> all() {
    static constexpr const Algorithm* listed[] = {&gather_as_allgather,
                                                  &gather_as_reduce,
                                                  &allgather_as_alltoall,
                                                  &allgather_as_allreduce,
                                                  &scatter_as_bcast,
                                                  &reduce_as_allreduce,
                                                  &reduce_scatter_as_allreduce,
                                                  &bcast_as_scatter_and_allgather,
                                                  &allgather_as_gather_and_bcast,
                                                  &allreduce_as_reduce_and_bcast,
                                                  &allreduce_as_reduce_scatter_block_and_allgather,
                                                  &reduce_as_reduce_scatter_block_and_gather,
                                                  &reduce_scatter_block_as_reduce_and_scatter,
                                                  &scan_as_exscan_and_reduce_local,
                                                  &reduce_scatter_as_reduce_and_scatterv,
                                                  &barrier_as_allreduce,
                                                  &reduce_as_reduce_scatter_and_gatherv,
                                                  &bcast_as_sends,
                                                  &reduce_as_receives};
    return listed;
}

const Algorithm* find(std::string_view name) {
    const auto found = std::ranges::find(all(), name, &Algorithm::name);
    return found == all().end() ? nullptr : *found;
}

} // namespace ictus::mockup
