#include "workload/operation/sparse.hpp"

namespace ictus::operation {
Sparse::Plan Sparse::plan_of(const Bound& bound, int n_ranks) {
    Torus torus = *torus::registry().make(bound.member("torus"), n_ranks);
    Neighbourhood neighbourhood =
        *neighbourhood::registry().make(bound.member("neighbourhood"), static_cast<int>(torus.dimensions()));
    return {std::move(torus), std::move(neighbourhood)};
}

int sparse_blocks(const Bound& bound, int n_ranks) {
    const auto torus = torus::registry().make(bound.member("torus"), n_ranks);
    const auto dimensions = static_cast<int>(torus->dimensions());
    return static_cast<int>(neighbourhood::registry().make(bound.member("neighbourhood"), dimensions)->size());
}

Sparse::Sparse(const OperationMember& member, const Bound& bound, const CallSite& site, SentBlocks sent)
    : Sparse(member, bound, site, sent, plan_of(bound, site.n_ranks)) {}

Sparse::Sparse(const OperationMember& member, const Bound& bound, const CallSite& site, SentBlocks sent, Plan plan)
    : Collective(member, site,
                 {.sent = Partition::equal(
                      sent == SentBlocks::one_each ? static_cast<int>(plan.neighbourhood.size()) : 1, site.count),
                  .received = Partition::equal(static_cast<int>(plan.neighbourhood.size()), site.count)}),
      sent_(sent), unit_bytes_(unit_bytes(site)), plan_(std::move(plan)) {
    const SparseAlgorithm algorithm = parse_sparse_algorithm(bound.text("algorithm"));
    const double begin = MPI_Wtime();
    schedule_ = (sent == SentBlocks::one_each ? ictus::sparse_alltoall
                                              : ictus::sparse_allgather)(plan_.torus, plan_.neighbourhood, algorithm);
    const double scheduled = MPI_Wtime();
    make_exchange();
    set_up_ = {SetupCost{"schedule", scheduled - begin}, SetupCost{"datatypes", MPI_Wtime() - scheduled}};
}

void Sparse::advance() {
    Collective::advance();
    make_exchange();
}

void Sparse::make_exchange() {
    exchange_ = std::make_unique<sparse::SparseExchange>(comm(), plan_.torus, schedule_, blocks_at(send(), sent()),
                                                         blocks_at(receive(), received()), type());
}

std::vector<sparse::TypedBlock> Sparse::blocks_at(std::byte* buffer, const Partition& blocks) const {
    std::vector<sparse::TypedBlock> all;
    for (int block = 0; block < blocks.n_blocks(); ++block) {
        all.push_back({buffer + blocks.first(block) * unit_bytes_, static_cast<int>(blocks.count(block)), type()});
    }
    return all;
}

BlockSource Sparse::block_source(int block) const {
    const GridOffset& offset = plan_.neighbourhood[static_cast<std::size_t>(block)];
    return BlockSource::rank(plan_.torus.before(rank(), offset),
                             sent_ == SentBlocks::same_to_all ? 0 : sent().first(block));
}

} // namespace ictus::operation
