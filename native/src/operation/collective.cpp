#include "operation/collective.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <climits>

namespace ictus::operation {
namespace {

/// Decided alike on all ranks: where blocks vary, by the whole volume, also on a rank that has one block alone.
bool is_large(const OperationMember& member, const CallSite& site) {
    return needs_large_counts(equal_blocks(site), site.datatype->size_bytes, member.varied);
}

/// Refuses what MPI's arguments cannot say, before anything is allocated.
Blocks checked(const OperationMember& member, const CallSite& site, Blocks blocks) {
    const std::string name(member.mpi_name);
    const std::size_t element_bytes = site.datatype->size_bytes;
    if (is_large(member, site) && !member.large) {
        const std::uint64_t bytes = (member.varied ? equal_blocks(site) : one_block(site)).total_bytes(element_bytes);
        throw usage_error(name + ": " + (member.varied ? "blocks of " : "a block of ") + std::to_string(bytes) +
                          " bytes" + (member.varied ? " together" : "") + " are beyond an int (" +
                          std::to_string(INT_MAX) + "), and " + name +
                          "_c of MPI 4.0, which counts further, is not in this library; choose a smaller size");
    }
    if (member.rooted && (site.root < 0 || site.root >= site.n_ranks)) {
        throw usage_error(name + ": root " + std::to_string(site.root) + " is not one of the ranks 0 to " +
                          std::to_string(site.n_ranks - 1));
    }
    if (!member.reduces || allows(*site.datatype, *site.reduction)) {
        return blocks;
    }
    std::string allowed;
    for (const Operator& candidate : operators()) {
        if (allows(*site.datatype, candidate)) {
            allowed += (allowed.empty() ? "" : ", ") + std::string(candidate.name);
        }
    }
    throw usage_error(name + ": operator '" + std::string(site.reduction->name) + "' is not defined on datatype '" +
                      std::string(site.datatype->name) + "'; defined are " + allowed);
}

std::optional<Arithmetic> arithmetic_of(const OperationMember& member, const CallSite& site) {
    return member.reduces ? std::optional(site.reduction->arithmetic) : std::nullopt;
}

} // namespace

Collective::Collective(const OperationMember& member, const CallSite& site, Blocks blocks)
    : blocks_(checked(member, site, std::move(blocks))),
      send_(blocks_.sent.total_bytes(site.datatype->size_bytes), site.area_bytes),
      receive_(blocks_.received.total_bytes(site.datatype->size_bytes), site.area_bytes), count_(site.count),
      has_large_counts_(is_large(member, site)), root_(site.root), type_(site.datatype->handle()),
      reduction_(member.reduces ? site.reduction->handle() : MPI_OP_NULL), comm_(site.comm), rank_(site.rank),
      n_ranks_(site.n_ranks),
      payload_(site.datatype->element(), arithmetic_of(member, site), std::max(2, site.n_ranks)) {}

void Collective::fill(std::uint64_t seed) {
    payload_.write(seed, Origin::rank(rank_), send_.bytes());
    if (const auto before = operand()) {
        payload_.write(seed, *before, receive_.bytes());
    } else {
        std::ranges::fill(receive_.bytes(), Payload::poison);
    }
    send_.raise_guards();
    receive_.raise_guards();
}

void Collective::advance() {
    send_.advance();
    receive_.advance();
}

std::optional<Mismatch> Collective::check(std::uint64_t seed) const {
    if (auto wrong = wrong_guard(send_, "send buffer")) {
        return wrong;
    }
    if (auto wrong = wrong_guard(receive_, "receive buffer")) {
        return wrong;
    }
    const Origin own = Origin::rank(rank_);
    if (auto wrong = wrong_element(seed, own, send_.bytes(), 0, "send buffer")) {
        return wrong;
    }
    switch (blocks_.arrival) {
    case Arrival::written: return wrong_arrival(seed);
    case Arrival::untouched: return touched();
    case Arrival::undefined: break;
    }
    return std::nullopt;
}

std::optional<Mismatch> Collective::wrong_arrival(std::uint64_t seed) const {
    const Partition& blocks = blocks_.received;
    const std::size_t size = payload_.element().size_bytes;
    for (int block = 0; block < blocks.n_blocks(); ++block) {
        const std::size_t first = blocks.first(block);
        const auto found = receive_.bytes().subspan(first * size, blocks.count(block) * size);
        if (auto wrong = wrong_element(seed, origin(block), found, first, "receive buffer")) {
            return wrong;
        }
    }
    return std::nullopt;
}

std::optional<Mismatch> Collective::wrong_element(std::uint64_t seed, const Origin& origin,
                                                  std::span<const std::byte> found, std::size_t first,
                                                  const char* buffer) const {
    const auto at = payload_.first_difference(seed, origin, found);
    if (!at) {
        return std::nullopt;
    }
    const std::size_t size = payload_.element().size_bytes;
    std::byte expected[sizeof(std::int64_t)];
    payload_.write(seed, {origin.first_rank, origin.end_rank, origin.first_element + *at}, {expected, size});
    return Mismatch{"element " + std::to_string(first + *at) + " of the " + buffer,
                    element_text(payload_.element(), expected), element_text(payload_.element(), &found[*at * size])};
}

std::optional<Mismatch> Collective::touched() const {
    const auto bytes = receive_.bytes();
    const auto at = std::ranges::find_if(bytes, [](std::byte b) { return b != Payload::poison; });
    if (at == bytes.end()) {
        return std::nullopt;
    }
    const std::size_t size = payload_.element().size_bytes;
    const std::size_t element = static_cast<std::size_t>(at - bytes.begin()) / size;
    return Mismatch{"element " + std::to_string(element) + " of the receive buffer, which has no meaning on this rank",
                    "never written", element_text(payload_.element(), &bytes[element * size])};
}

std::optional<Mismatch> Collective::wrong_guard(const GuardedBuffer& buffer, const char* name) const {
    const auto breach = buffer.breach();
    if (!breach) {
        return std::nullopt;
    }
    const char* const side = breach->before ? " before the " : " behind the ";
    return Mismatch{"guard byte " + std::to_string(breach->distance) + side + name,
                    std::to_string(std::to_integer<int>(breach->expected)),
                    std::to_string(std::to_integer<int>(breach->found))};
}

} // namespace ictus::operation
