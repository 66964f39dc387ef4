#include "neighbourhood/sparse_exchange.hpp"

#include "mpi/handles.hpp"

namespace ictus::sparse {
namespace {

constexpr int exchange_tag = 11;

/// How many elements of `element_bytes` a block has.
int elements_in(const TypedBlock& block, int element_bytes) {
    int unit_bytes = 0;
    mpi::check(MPI_Type_size(block.type, &unit_bytes), "MPI_Type_size");
    return block.count * (unit_bytes / element_bytes);
}

} // namespace

SparseExchange::SparseExchange(MPI_Comm comm, const Torus& torus, const SparseSchedule& schedule,
                               std::span<const TypedBlock> sent, std::span<const TypedBlock> received,
                               MPI_Datatype element)
    : comm_(comm) {
    int rank = 0;
    mpi::check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    int element_bytes = 0;
    mpi::check(MPI_Type_size(element, &element_bytes), "MPI_Type_size");
    MPI_Aint lower = 0;
    MPI_Aint extent = 0; // more than its size where it has gaps
    mpi::check(MPI_Type_get_extent(element, &lower, &extent), "MPI_Type_get_extent");
    for (const int neighbour : schedule.scratch) {
        const int count = elements_in(received[static_cast<std::size_t>(neighbour)], element_bytes);
        scratch_.emplace_back(static_cast<std::size_t>(count) * static_cast<std::size_t>(extent));
        resting_.push_back({scratch_.back().data(), count, element});
    }
    for (const SparseRound& round : schedule.rounds) {
        add_round(torus, rank, round.jump, round.transfers, sent, received);
    }
    add_round(torus, rank, GridOffset(torus.dimensions(), 0), schedule.copies, sent, received);
}

void SparseExchange::add_round(const Torus& torus, int rank, const GridOffset& jump,
                               std::span<const Transfer> transfers, std::span<const TypedBlock> sent,
                               std::span<const TypedBlock> received) {
    const int to = torus.after(rank, jump);
    const int from = torus.before(rank, jump);
    const auto block_at = [&](BlockLocation location) {
        const auto i = static_cast<std::size_t>(location.block);
        switch (location.buffer) {
        case BlockLocation::Buffer::send: return sent[i];
        case BlockLocation::Buffer::scratch: return resting_[i];
        case BlockLocation::Buffer::receive: break;
        }
        return received[i];
    };
    std::vector<TypedBlock> out;
    std::vector<TypedBlock> in;
    for (const Transfer& transfer : transfers) {
        if (to != Torus::outside && is_on(torus, transfer, rank)) {
            out.push_back(block_at(transfer.from));
        }
        if (from != Torus::outside && is_on(torus, transfer, from)) {
            in.push_back(block_at(transfer.to));
        }
    }
    if (out.empty() && in.empty()) {
        return; // nor does another rank expect a message: it leaves out the same transfers
    }
    rounds_.push_back({out.empty() ? MPI_PROC_NULL : to, in.empty() ? MPI_PROC_NULL : from, combine(out), combine(in)});
}

SparseExchange::RoundMessage SparseExchange::combine(std::span<const TypedBlock> blocks) {
    if (blocks.empty()) {
        return {{nullptr, 0, MPI_BYTE}, {}};
    }
    if (blocks.size() == 1) {
        return {blocks.front(), {}};
    }
    std::vector<int> counts;
    std::vector<MPI_Aint> addresses;
    std::vector<MPI_Datatype> types;
    for (const TypedBlock& block : blocks) {
        counts.push_back(block.count);
        types.push_back(block.type);
        mpi::check(MPI_Get_address(block.address, &addresses.emplace_back()), "MPI_Get_address");
    }
    MPI_Datatype combined = MPI_DATATYPE_NULL;
    mpi::check(MPI_Type_create_struct(static_cast<int>(blocks.size()), counts.data(), addresses.data(), types.data(),
                                      &combined),
               "MPI_Type_create_struct");
    mpi::DerivedType owned(combined);
    const TypedBlock whole{MPI_BOTTOM, 1, owned.handle()};
    return {whole, std::move(owned)};
}

int SparseExchange::run() {
    int worst = MPI_SUCCESS;
    for (const Round& round : rounds_) {
        const TypedBlock& out = round.out.block;
        const TypedBlock& in = round.in.block;
        const int code = MPI_Sendrecv(out.address, out.count, out.type, round.to, exchange_tag, in.address, in.count,
                                      in.type, round.from, exchange_tag, comm_, MPI_STATUS_IGNORE);
        worst = worst == MPI_SUCCESS ? code : worst;
    }
    return worst;
}

} // namespace ictus::sparse
