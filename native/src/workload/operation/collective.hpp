// Shared by all operations with data: their buffers, and the contents before and after the call. A member states which
// blocks it sends and receives, provides the arguments of its call (form.hpp), and names the source of each received
// block.
#pragma once

#include "workload/operation/buffer.hpp"
#include "workload/operation/form.hpp"
#include "workload/operation/operation.hpp"
#include "workload/operation/partition.hpp"
#include "workload/operation/payload.hpp"
#include "workload/operation/reduction.hpp"

namespace ictus::operation {

/// What MPI promises about a rank's receive buffer.
enum class Arrival {
    written,   ///< every element
    untouched, ///< not significant on this rank: unchanged
    undefined, ///< may hold anything
};

/// What a rank sends to its neighbours: one block for all, or a block for each.
enum class SentBlocks { same_to_all, one_each };

/// The buffers of one rank.
struct Blocks {
    Partition sent = {};
    Partition received = {};
    Arrival arrival = Arrival::written;
    int own_block = 0; ///< the block of the receive buffer that holds the rank's own data when it is called in place
};

/// Bytes between the beginnings of two units of the layout.
[[nodiscard]] std::size_t unit_bytes(const CallSite& site);

/// One block: a message, or a rank's own part.
[[nodiscard]] inline Partition one_block(const CallSite& site) { return Partition::equal(1, site.count); }
/// A block of the same size for each rank.
[[nodiscard]] inline Partition equal_blocks(const CallSite& site) { return Partition::equal(site.n_ranks, site.count); }
/// `n_blocks` blocks with the sizes of `counts`; their sum is that of equal blocks.
[[nodiscard]] Partition shared_out(const CallSite& site, int n_blocks);
/// A block with a size of its own for each rank.
[[nodiscard]] inline Partition varied_blocks(const CallSite& site) { return shared_out(site, site.n_ranks); }
/// Only the calling rank's block of these.
[[nodiscard]] inline Partition own_block_of(const Partition& blocks, const CallSite& site) {
    return Partition::equal(1, blocks.count(site.rank));
}

/// Whether the call is the one for counts beyond an int. All ranks decide the same: where blocks vary, by the whole
/// volume, even on a rank that has a single block.
[[nodiscard]] bool needs_large_counts(const OperationMember& member, const CallSite& site);

class Collective : public Operation {
public:
    void fill(std::uint64_t seed) final;
    [[nodiscard]] std::optional<Mismatch> check(std::uint64_t seed) const final;
    void advance() override;

    /// The elements of block `block` of the receive buffer as they arrived, without gaps.
    [[nodiscard]] std::vector<std::byte> content(int block) const;

    [[nodiscard]] bool has_large_counts() const final { return has_large_counts_; }

protected:
    /// Throws a usage Error if MPI cannot do this.
    Collective(const OperationMember& member, const CallSite& site, Blocks blocks);

    /// The expected content of block `block` of the receive buffer, where it is written.
    [[nodiscard]] virtual BlockSource block_source(int block) const = 0;
    /// The content of the receive buffer's first block before the call where it is an operand; absent: poison.
    [[nodiscard]] virtual std::optional<BlockSource> operand() const { return std::nullopt; }

    /// Whether any rank sends block `block` of the receive buffer; else the block must not change.
    [[nodiscard]] virtual bool arrives(int /*block*/) const { return true; }
    /// Called after the buffers are filled and before the receive buffer is checked, for calls that work on other
    /// memory.
    virtual void filled() {}
    virtual void arrived() const {}

    /// The buffer of this rank's own data: the send buffer or, in place, the receive buffer.
    [[nodiscard]] const std::byte* own() const;
    /// Whether this rank passes MPI_IN_PLACE instead of its send or its receive buffer.
    [[nodiscard]] bool sends_in_place() const { return sends_in_place_; }
    [[nodiscard]] bool receives_in_place() const { return receives_in_place_; }
    [[nodiscard]] std::size_t element_bytes() const { return payload_.element().size_bytes; }
    [[nodiscard]] std::size_t bytes_per_unit() const { return shape_.extent * element_bytes(); }

    // The arguments of the call. Buffers may move between calls, so a member reads them in each call.
    [[nodiscard]] std::byte* send() const { return sends_in_place_ ? in_place() : send_.data(); }
    [[nodiscard]] std::byte* receive() const { return receives_in_place_ ? in_place() : receive_.data(); }
    /// Units of a block where all are equal.
    template <class Count>
    [[nodiscard]] Count count() const {
        return static_cast<Count>(count_);
    }
    [[nodiscard]] MPI_Datatype type() const { return type_; }
    [[nodiscard]] MPI_Op reduction() const { return reduction_.handle(); }
    [[nodiscard]] int root() const { return root_; }
    [[nodiscard]] MPI_Comm comm() const { return comm_; }

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int n_ranks() const { return n_ranks_; }
    /// The first unit of this rank's block in a buffer with a block of the same size for each rank.
    [[nodiscard]] std::size_t own_block() const { return static_cast<std::size_t>(rank_) * count_; }
    [[nodiscard]] const Partition& sent() const { return blocks_.sent; }
    [[nodiscard]] const Partition& received() const { return blocks_.received; }

private:
    [[nodiscard]] static std::byte* in_place() { return static_cast<std::byte*>(MPI_IN_PLACE); }
    /// `block_source` counts in units, as in members; the result counts in elements.
    [[nodiscard]] BlockSource in_elements(const BlockSource& block_source) const;
    [[nodiscard]] std::optional<Mismatch> wrong_surroundings(const MessageBuffer& buffer, const char* name) const;
    [[nodiscard]] std::optional<Mismatch> wrong_units(std::uint64_t seed, const BlockSource& block_source,
                                                      const MessageBuffer& buffer, std::size_t first,
                                                      std::size_t n_units, const char* name) const;
    [[nodiscard]] std::optional<Mismatch> wrong_arrival(std::uint64_t seed) const;
    /// For the receive buffer's units from `first` to `end` (excluded).
    [[nodiscard]] std::optional<Mismatch> touched(std::size_t first, std::size_t end) const;

    Blocks blocks_;
    bool sends_in_place_;
    bool receives_in_place_;
    Shape shape_;
    std::size_t unit_elements_;
    MessageBuffer send_;
    MessageBuffer receive_;
    std::size_t count_;
    bool has_large_counts_;
    int root_;
    mpi::DerivedType derived_;
    MPI_Datatype type_;
    Reduction reduction_;
    MPI_Comm comm_;
    int rank_;
    int n_ranks_;
    Payload payload_;
};

} // namespace ictus::operation
