#include "neighbourhood/topology/topology.hpp"

namespace ictus::topology {

extern const TopologyMember cartesian, graph, grid;

const Registry<Topology, int>& registry() {
    static const Registry<Topology, int> all{
        "topology", "which ranks are neighbours in a neighbourhood collective", {&cartesian, &grid, &graph}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace ictus::topology
