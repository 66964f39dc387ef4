#include "workload/operation/collective.hpp"

#include "base/error.hpp"
#include "workload/operation/demand.hpp"

#include <algorithm>
#include <climits>

namespace ictus::operation {
namespace {

constexpr std::byte gap_filler{0x5A}; // in the gaps of the send buffer

/// Whether the send buffer is in place. `never` and the receive buffer of MPI_Scatter do not concern it.
bool sends_in_place(const OperationMember& member, const CallSite& site) {
    return site.in_place && (member.in_place == InPlace::every_rank ||
                             (member.in_place == InPlace::sends_at_root && site.rank == site.root));
}

bool receives_in_place(const OperationMember& member, const CallSite& site) {
    return site.in_place && member.in_place == InPlace::receives_at_root && site.rank == site.root;
}

Shape shape_of(const CallSite& site) { return site.layout == nullptr ? Shape{} : site.layout->shape(); }

mpi::DerivedType derived_type(const CallSite& site) {
    return site.layout == nullptr ? mpi::DerivedType() : site.layout->datatype(site.datatype->handle());
}

void require_counts(const OperationMember& member, const CallSite& site) {
    if (!needs_large_counts(member, site) || member.large) {
        return;
    }
    const std::string name(member.mpi_name);
    const Partition blocks = member.varied ? equal_blocks(site) : one_block(site);
    const std::uint64_t n = member.places_in_bytes ? blocks.total_bytes(unit_bytes(site)) : blocks.total();
    throw usage_error(name + ": " + std::to_string(n) + (member.places_in_bytes ? " bytes" : " elements") +
                      (member.varied ? " in all blocks" : " in a block") + " are more than an int can count (" +
                      std::to_string(INT_MAX) + "), and " + name +
                      "_c of MPI 4.0, which can count them, is not in this library; choose a smaller size");
}

/// Refuses sizes that MPI's arguments cannot express, before anything is allocated.
Blocks checked(const OperationMember& member, const CallSite& site, Blocks blocks) {
    require_counts(member, site);
    if (member.rooted && (site.root < 0 || site.root >= site.n_ranks)) {
        throw usage_error(std::string(member.mpi_name) + ": root " + std::to_string(site.root) +
                          " is not one of the ranks 0 to " + std::to_string(site.n_ranks - 1));
    }
    if (site.in_place) {
        require_in_place(member);
    }
    if (member.reduces) {
        require_operator(member, *site.datatype, *site.reduction, site.layout != nullptr && site.layout->is_derived());
    }
    if (receives_in_place(member, site)) {
        blocks.received = Partition(); // the rank's own block is not moved
    }
    return blocks;
}

/// Units that the receive buffer must hold: what arrives and, in place, what the call reads from it.
Partition room(const Blocks& blocks, bool in_place) {
    const std::uint64_t own = blocks.own_block == 0 ? 0 : blocks.received.first(blocks.own_block);
    const std::uint64_t total = blocks.received.total();
    return Partition::equal(1, in_place ? std::max(total, own + blocks.sent.total()) : total);
}

std::optional<Arithmetic> arithmetic_of(const OperationMember& member, const CallSite& site) {
    return member.reduces ? std::optional(site.reduction->arithmetic) : std::nullopt;
}

} // namespace

std::size_t unit_bytes(const CallSite& site) { return shape_of(site).extent * site.datatype->size_bytes; }

Partition shared_out(const CallSite& site, int n_blocks) {
    if (site.counts == nullptr || n_blocks == 0) {
        return Partition::equal(n_blocks, site.count);
    }
    return Partition::weighted(n_blocks, site.count, site.counts->weights(n_blocks));
}

bool needs_large_counts(const OperationMember& member, const CallSite& site) {
    const std::size_t place_units = !member.varied ? 0 : member.places_in_bytes ? unit_bytes(site) : 1;
    return ictus::needs_large_counts(equal_blocks(site), place_units);
}

Collective::Collective(const OperationMember& member, const CallSite& site, Blocks blocks)
    : blocks_(checked(member, site, std::move(blocks))), sends_in_place_(operation::sends_in_place(member, site)),
      receives_in_place_(operation::receives_in_place(member, site)), shape_(shape_of(site)),
      unit_elements_(shape_.n_elements()),
      send_(site.datatype->element(), shape_, sends_in_place_ ? 0 : blocks_.sent.total_bytes(unit_bytes(site)),
            site.area_bytes),
      receive_(site.datatype->element(), shape_, room(blocks_, sends_in_place_).total_bytes(unit_bytes(site)),
               site.area_bytes),
      count_(site.count), has_large_counts_(needs_large_counts(member, site)), root_(site.root),
      derived_(derived_type(site)), type_(derived_.exists() ? derived_.handle() : site.datatype->handle()),
      comm_(site.comm), rank_(site.rank), n_ranks_(site.n_ranks),
      payload_(site.datatype->element(), arithmetic_of(member, site), std::max(2, site.n_ranks)) {
    if (member.reduces) {
        reduction_ = Reduction(*site.reduction, type_, payload_.element(), shape_);
    }
}

BlockSource Collective::in_elements(const BlockSource& block_source) const {
    return {block_source.first_rank, block_source.end_rank, block_source.first_element * unit_elements_};
}

const std::byte* Collective::own() const {
    if (!sends_in_place_) {
        return send_.data();
    }
    const int block = blocks_.own_block;
    return receive_.data() + (block == 0 ? 0 : blocks_.received.first(block)) * bytes_per_unit();
}

void Collective::fill(std::uint64_t seed) {
    const BlockSource own = BlockSource::rank(rank_);
    receive_.clear(Payload::poison);
    if (const auto before = operand()) {
        receive_.write(payload_, seed, in_elements(*before), 0, received().count(0));
    }
    send_.clear(gap_filler);
    if (sends_in_place_) {
        receive_.write(payload_, seed, own, blocks_.own_block == 0 ? 0 : received().first(blocks_.own_block),
                       sent().total());
    } else {
        send_.write(payload_, seed, own, 0, send_.n_units());
    }
    filled();
}

void Collective::advance() {
    send_.advance();
    receive_.advance();
}

std::optional<Mismatch> Collective::check(std::uint64_t seed) const {
    arrived();
    if (auto wrong = wrong_surroundings(send_, "send buffer")) {
        return wrong;
    }
    if (auto wrong = wrong_surroundings(receive_, "receive buffer")) {
        return wrong;
    }
    if (auto wrong = wrong_units(seed, BlockSource::rank(rank_), send_, 0, send_.n_units(), "send buffer")) {
        wrong->where += ", which a call must not change";
        return wrong;
    }
    switch (blocks_.arrival) {
    case Arrival::written: return wrong_arrival(seed);
    case Arrival::untouched: return touched(0, receive_.n_units());
    case Arrival::undefined: break;
    }
    return std::nullopt;
}

std::vector<std::byte> Collective::content(int block) const {
    arrived();
    return receive_.message(received().first(block), received().count(block));
}

std::optional<Mismatch> Collective::wrong_arrival(std::uint64_t seed) const {
    const Partition& blocks = blocks_.received;
    for (int block = 0; block < blocks.n_blocks(); ++block) {
        if (!arrives(block)) {
            if (auto wrong = touched(blocks.first(block), blocks.first(block) + blocks.count(block))) {
                return wrong;
            }
            continue;
        }
        if (auto wrong = wrong_units(seed, block_source(block), receive_, blocks.first(block), blocks.count(block),
                                     "receive buffer")) {
            return wrong;
        }
    }
    return std::nullopt;
}

std::optional<Mismatch> Collective::wrong_units(std::uint64_t seed, const BlockSource& block_source,
                                                const MessageBuffer& buffer, std::size_t first, std::size_t n_units,
                                                const char* name) const {
    const BlockSource from = in_elements(block_source);
    const std::vector<std::byte> found = buffer.message(first, n_units);
    const auto at = payload_.first_difference(seed, from, found);
    if (!at) {
        return std::nullopt;
    }
    const std::size_t size = payload_.element().size_bytes;
    std::byte expected[sizeof(std::int64_t)];
    payload_.write(seed, {from.first_rank, from.end_rank, from.first_element + *at}, {expected, size});
    return Mismatch{"element " + std::to_string(first * unit_elements_ + *at) + " of the " + name,
                    element_text(payload_.element(), expected), element_text(payload_.element(), &found[*at * size])};
}

std::optional<Mismatch> Collective::touched(std::size_t first, std::size_t end) const {
    const std::vector<std::byte> found = receive_.message(first, end - first);
    const auto at = std::ranges::find_if(found, [](std::byte b) { return b != Payload::poison; });
    if (at == found.end()) {
        return std::nullopt;
    }
    const std::size_t size = payload_.element().size_bytes;
    const std::size_t element = static_cast<std::size_t>(at - found.begin()) / size;
    return Mismatch{"element " + std::to_string(first * unit_elements_ + element) +
                        " of the receive buffer, which this rank must not write",
                    "never written", element_text(payload_.element(), &found[element * size])};
}

std::optional<Mismatch> Collective::wrong_surroundings(const MessageBuffer& buffer, const char* name) const {
    if (const auto breach = buffer.breach()) {
        const char* const side = breach->before ? " before the " : " after the ";
        return Mismatch{"guard byte " + std::to_string(breach->distance) + side + name,
                        std::to_string(std::to_integer<int>(breach->expected)),
                        std::to_string(std::to_integer<int>(breach->found))};
    }
    if (const auto at = buffer.touched_gap()) {
        return Mismatch{"byte " + std::to_string(*at) + " of the " + name + ", in a gap of its datatype",
                        "never written", std::to_string(std::to_integer<int>(buffer.bytes()[*at]))};
    }
    return std::nullopt;
}

} // namespace ictus::operation
