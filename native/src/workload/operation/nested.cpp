#include "workload/operation/nested.hpp"

#include <algorithm>

namespace ictus::operation {
namespace {

std::vector<Bound> nested_in(const Bound& call) {
    const auto nested = traits(call.info().name).nested;
    return nested == nullptr ? std::vector<Bound>() : nested(call);
}

std::uint64_t rounded_up(std::uint64_t n_units, std::uint64_t blocks) { return (n_units + blocks - 1) / blocks; }

std::uint64_t blocks_of(const Bound& call, int n_ranks) {
    const auto n_blocks = traits(call).n_blocks;
    return static_cast<std::uint64_t>(n_blocks == nullptr ? n_ranks : n_blocks(call, n_ranks));
}

/// The blocks of the one inner operation that has blocks.
int nested_blocks(const Bound& call, int n_ranks) {
    const std::vector<Bound> all = nested_in(call);
    const auto found = std::ranges::find_if(all, [](const Bound& one) { return traits(one).volume == Volume::blocks; });
    return static_cast<int>(blocks_of(*found, n_ranks));
}

} // namespace

OperationMember traits(const Bound& call) {
    OperationMember known = traits(call.info().name);
    if (known.nested == nullptr) {
        return known;
    }
    known.volume = Volume::none;
    known.large = true;
    for (const Bound& one : nested_in(call)) {
        const OperationMember part = traits(one);
        known.available = known.available && part.available;
        if (part.volume == Volume::none) {
            continue;
        }
        const bool is_first = known.volume == Volume::none;
        known.volume = is_first ? part.volume : Volume::message;
        known.is_padded = is_first && part.is_padded;
        known.n_blocks = known.volume == Volume::blocks ? nested_blocks : nullptr;
        known.in_place = is_first || part.in_place == InPlace::never ? part.in_place : known.in_place;
        known.rooted = known.rooted || part.rooted;
        known.reduces = known.reduces || part.reduces;
        known.varied = known.varied || part.varied;
        known.large = known.large && part.large;
    }
    return known;
}

std::vector<Bound> leaves(const Bound& call) {
    const std::vector<Bound> nested = nested_in(call);
    if (nested.empty()) {
        return {call};
    }
    std::vector<Bound> all;
    for (const Bound& one : nested) {
        std::ranges::copy(leaves(one), std::back_inserter(all));
    }
    return all;
}

std::uint64_t units_per_block(const Bound& call, std::uint64_t n_units, int n_ranks) {
    switch (traits(call).volume) {
    case Volume::nested: // no operation with arguments has it
    case Volume::none: return 0;
    case Volume::message: return n_units;
    case Volume::blocks: break;
    }
    const std::uint64_t blocks = blocks_of(call, n_ranks);
    return blocks == 0 ? 0 : rounded_up(n_units, blocks); // 0: a neighbourhood without neighbours
}

std::uint64_t largest_buffer_units(const Bound& call, std::uint64_t n_units, int n_ranks) {
    const std::vector<Bound> nested = nested_in(call);
    if (!nested.empty()) {
        std::uint64_t most = 0;
        for (const Bound& one : nested) {
            most = std::max(most, largest_buffer_units(one, n_units, n_ranks));
        }
        return most;
    }
    const OperationMember known = traits(call);
    const std::uint64_t each = units_per_block(call, n_units, n_ranks);
    if (known.volume == Volume::blocks) {
        return each * blocks_of(call, n_ranks);
    }
    const auto ranks = static_cast<std::uint64_t>(n_ranks);
    return known.is_padded ? rounded_up(each, ranks) * ranks : each;
}

std::optional<Mismatch> found_in(const std::string& where, std::optional<Mismatch> mismatch) {
    if (mismatch) {
        mismatch->where = where + ": " + mismatch->where;
    }
    return mismatch;
}

} // namespace ictus::operation
