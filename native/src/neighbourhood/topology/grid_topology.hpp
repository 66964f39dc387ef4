// What both Cartesian members are, once the lengths are known.
#pragma once

#include "neighbourhood/topology/topology.hpp"

namespace ictus::topology {

class GridTopology final : public Topology {
public:
    GridTopology(std::vector<int> lengths, bool periodic) : lengths_(std::move(lengths)), periodic_(periodic) {}

    [[nodiscard]] int degree() const override { return static_cast<int>(2 * lengths_.size()); }
    [[nodiscard]] Links links(int rank) const override { return cartesian_links(lengths_, periodic_, rank); }
    [[nodiscard]] mpi::Communicator create(MPI_Comm comm) const override {
        return mpi::Communicator::cartesian(comm, lengths_, periodic_);
    }

private:
    std::vector<int> lengths_;
    bool periodic_;
};

inline constexpr Parameter periodic_parameter{
    .name = "periodic",
    .type = Parameter::Type::flag,
    .default_value = "off",
    .help = "whether the last rank of every dimension is a neighbour of the first; else blocks at the borders stay "
            "unwritten"};

} // namespace ictus::topology
