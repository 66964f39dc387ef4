// Family topology: which ranks are neighbours in a neighbourhood collective. A member makes MPI's communicator and says
// by our own arithmetic what each rank must receive on it.
#pragma once

#include "base/registry.hpp"
#include "mpi/handles.hpp"
#include "neighbourhood/neighbourhood.hpp"

namespace ictus {

class Topology {
public:
    virtual ~Topology() = default;

    /// The largest number of neighbours of any rank, on the side where it has more.
    [[nodiscard]] virtual int degree() const = 0;
    [[nodiscard]] virtual Links links(int rank) const = 0;
    /// Collective; ranks keep their numbers.
    [[nodiscard]] virtual mpi::Communicator create(MPI_Comm comm) const = 0;
};

/// Made for a number of ranks; throws a usage Error where they do not fit.
using TopologyMember = Member<Topology, int>;

namespace topology {
[[nodiscard]] const Registry<Topology, int>& registry();
[[nodiscard]] const FamilyInfo& family();
} // namespace topology

} // namespace ictus
