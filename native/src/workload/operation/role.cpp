#include "workload/operation/role.hpp"

#include <algorithm>

namespace ictus::operation {

extern const Forms allgather, allreduce, alltoall, barrier, bcast, exscan, gather, reduce, reduce_scatter,
    reduce_scatter_block, scan, scatter;

namespace {

Arrival at_root(const CallSite& site) { return site.rank == site.root ? Arrival::written : Arrival::untouched; }

std::span<const DataRole> roles() {
    static const DataRole all[] = {
        {allgather[0],
         [](const CallSite& s) -> Blocks { return {one_block(s), equal_blocks(s), Arrival::written, s.rank}; },
         [](const CallSite&, int block, std::uint64_t) { return BlockSource::rank(block); }},
        {gather[0], [](const CallSite& s) -> Blocks { return {one_block(s), equal_blocks(s), at_root(s), s.rank}; },
         [](const CallSite&, int block, std::uint64_t) { return BlockSource::rank(block); }},
        {scatter[0],
         [](const CallSite& s) -> Blocks { return {s.rank == s.root ? equal_blocks(s) : Partition(), one_block(s)}; },
         [](const CallSite& s, int, std::uint64_t first) { return BlockSource::rank(s.root, first); }},
        {alltoall[0], [](const CallSite& s) -> Blocks { return {equal_blocks(s), equal_blocks(s)}; },
         [](const CallSite&, int block, std::uint64_t first) { return BlockSource::rank(block, first); }},
        {bcast[0],
         [](const CallSite& s) -> Blocks {
             return s.rank == s.root ? Blocks{.sent = one_block(s)} : Blocks{.received = one_block(s)};
         },
         [](const CallSite& s, int, std::uint64_t) { return BlockSource::rank(s.root); }},
        {reduce[0], [](const CallSite& s) -> Blocks { return {one_block(s), one_block(s), at_root(s)}; },
         [](const CallSite& s, int, std::uint64_t) { return BlockSource::ranks_below(s.n_ranks); }},
        {allreduce[0], [](const CallSite& s) -> Blocks { return {one_block(s), one_block(s)}; },
         [](const CallSite& s, int, std::uint64_t) { return BlockSource::ranks_below(s.n_ranks); }},
        {scan[0], [](const CallSite& s) -> Blocks { return {one_block(s), one_block(s)}; },
         [](const CallSite& s, int, std::uint64_t) { return BlockSource::ranks_below(s.rank + 1); }},
        {exscan[0],
         [](const CallSite& s) -> Blocks {
             return {one_block(s), one_block(s), s.rank == 0 ? Arrival::undefined : Arrival::written};
         },
         [](const CallSite& s, int, std::uint64_t) { return BlockSource::ranks_below(s.rank); }},
        {reduce_scatter[0],
         [](const CallSite& s) -> Blocks { return {varied_blocks(s), own_block_of(varied_blocks(s), s)}; },
         [](const CallSite& s, int, std::uint64_t first) { return BlockSource::ranks_below(s.n_ranks, first); }},
        {reduce_scatter_block[0], [](const CallSite& s) -> Blocks { return {equal_blocks(s), one_block(s)}; },
         [](const CallSite& s, int, std::uint64_t first) { return BlockSource::ranks_below(s.n_ranks, first); }},
    };
    return all;
}

} // namespace

const DataRole* find_role(std::string_view collective) {
    const auto found = std::ranges::find(roles(), collective, [](const DataRole& one) { return one.collective.name; });
    return found == roles().end() ? nullptr : &*found;
}

const OperationMember* stood_for(std::string_view collective) {
    const DataRole* const role = find_role(collective);
    return collective == barrier[0].name ? &barrier[0] : role == nullptr ? nullptr : &role->collective;
}

} // namespace ictus::operation
