// Shared by both sparse exchanges: the parameters, and the exchange with its schedule and datatypes, made before the
// first call. n is the volume of the receive buffer: one block per neighbour. On a torus every rank has all neighbours.
#pragma once

#include "neighbourhood/neighbourhood.hpp"
#include "neighbourhood/sparse_exchange.hpp"
#include "neighbourhood/torus.hpp"
#include "workload/operation/collective.hpp"
#include "workload/operation/form.hpp"

#include <array>
#include <memory>

namespace ictus::operation {

inline constexpr Parameter sparse_parameters[] = {
    {.name = "algorithm",
     .type = Parameter::Type::choice,
     .default_value = "dimensions",
     .help = "a message for each neighbour, combined messages along one dimension after the other, or combined "
             "messages by jumps of 1, 2, 4, ...",
     .choices = "direct dimensions logarithmic"},
    {.name = "torus",
     .type = Parameter::Type::member,
     .default_value = "balanced(2)",
     .help = "the grid without borders on which the ranks are",
     .family = &torus::family},
    {.name = "neighbourhood",
     .type = Parameter::Type::member,
     .default_value = "moore(1)",
     .help = "which ranks every rank sends to",
     .family = &neighbourhood::family},
};
int sparse_blocks(const Bound& bound, int n_ranks);

class Sparse : public Collective {
public:
    BoundCall bind() final { return BoundCall::run(*exchange_); }
    /// Makes the datatypes again, which contain addresses of the buffers.
    void advance() final;
    [[nodiscard]] std::span<const SetupCost> set_up() const final { return set_up_; }

protected:
    Sparse(const OperationMember& member, const Bound& bound, const CallSite& site, SentBlocks sent);

private:
    struct Plan {
        Torus torus;
        Neighbourhood neighbourhood;
    };
    [[nodiscard]] static Plan plan_of(const Bound& bound, int n_ranks);
    Sparse(const OperationMember& member, const Bound& bound, const CallSite& site, SentBlocks sent, Plan plan);

    [[nodiscard]] BlockSource block_source(int block) const final;
    void make_exchange();
    [[nodiscard]] std::vector<sparse::TypedBlock> blocks_at(std::byte* buffer, const Partition& blocks) const;

    SentBlocks sent_;
    std::size_t unit_bytes_;
    Plan plan_;
    SparseSchedule schedule_;
    std::array<SetupCost, 2> set_up_;
    std::unique_ptr<sparse::SparseExchange> exchange_;
};

} // namespace ictus::operation
