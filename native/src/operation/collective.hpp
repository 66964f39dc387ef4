// What all operations with data share: their buffers, what is in them before the call, and what must be in them after
// it. A member says how many blocks it sends and receives, makes its call, and names the origin of each block received.
#pragma once

#include "operation/buffer.hpp"
#include "operation/operation.hpp"
#include "operation/payload.hpp"

namespace ictus::operation {

/// What MPI promises about a rank's receive buffer.
enum class Arrival {
    written,   ///< every element
    untouched, ///< not significant on this rank: as it was
    undefined, ///< may hold anything
};

/// The buffers of one rank in blocks of `CallSite::count` elements.
struct Blocks {
    int sent = 0;
    int received = 0;
    Arrival arrival = Arrival::written;
};

class Collective : public Operation {
public:
    void fill(std::uint64_t seed) final;
    [[nodiscard]] std::optional<Mismatch> check(std::uint64_t seed) const final;

protected:
    /// Throws a usage Error if MPI cannot be asked for that.
    Collective(const OperationMember& member, const CallSite& site, Blocks blocks);

    /// What block `block` of the receive buffer must hold where it is written.
    [[nodiscard]] virtual Origin origin(int block) const = 0;

    // The arguments of the call, all ready.
    [[nodiscard]] std::byte* send() const { return send_.data(); }
    [[nodiscard]] std::byte* receive() const { return receive_.data(); }
    [[nodiscard]] int count() const { return count_; }
    [[nodiscard]] MPI_Datatype type() const { return type_; }
    [[nodiscard]] MPI_Op reduction() const { return reduction_; }
    [[nodiscard]] int root() const { return root_; }
    [[nodiscard]] MPI_Comm comm() const { return comm_; }

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int n_ranks() const { return n_ranks_; }
    /// The first element of this rank's block in a buffer with a block for each rank.
    [[nodiscard]] std::size_t own_block() const {
        return static_cast<std::size_t>(rank_) * static_cast<std::size_t>(count_);
    }

private:
    [[nodiscard]] std::optional<Mismatch> wrong_guard(const GuardedBuffer& buffer, const char* name) const;
    [[nodiscard]] std::optional<Mismatch> wrong_element(std::uint64_t seed, const Origin& origin,
                                                        std::span<const std::byte> found, std::size_t first,
                                                        const char* buffer) const;
    [[nodiscard]] std::optional<Mismatch> wrong_arrival(std::uint64_t seed) const;
    [[nodiscard]] std::optional<Mismatch> touched() const;

    GuardedBuffer send_;
    GuardedBuffer receive_;
    int count_;
    int root_;
    MPI_Datatype type_;
    MPI_Op reduction_;
    MPI_Comm comm_;
    int rank_;
    int n_ranks_;
    Arrival arrival_;
    Payload payload_;
};

/// The `make` of a member without parameters.
template <class Made>
std::unique_ptr<Operation> make(const Bound& bound, const CallSite& site) {
    return std::make_unique<Made>(static_cast<const OperationMember&>(bound.info()), site);
}

} // namespace ictus::operation
