// `graph`: a directed graph that the seed decides, by MPI_Dist_graph_create_adjacent. Degrees differ from rank to rank,
// in from out, and reach down to 0 (neighbourhood/isomorphic).
#include "neighbourhood/isomorphic.hpp"
#include "neighbourhood/topology/topology.hpp"

namespace ictus::topology {
namespace {

constexpr Parameter graph_parameters[] = {
    {.name = "degree",
     .type = Parameter::Type::count,
     .default_value = "3",
     .help = "most sources and most destinations of a rank; the number of ranks where that is less",
     .minimum = 1,
     .maximum = 1000},
    {.name = "seed", .type = Parameter::Type::count, .default_value = "1", .help = "decides the edges"},
};

class GraphTopology final : public Topology {
public:
    GraphTopology(int n_ranks, int degree, std::uint64_t seed) : n_ranks_(n_ranks), degree_(degree), seed_(seed) {}

    [[nodiscard]] int degree() const override { return graph_degree(n_ranks_, degree_); }
    [[nodiscard]] Links links(int rank) const override { return graph_links(n_ranks_, rank, degree_, seed_); }
    [[nodiscard]] mpi::Communicator create(MPI_Comm comm) const override {
        int rank = 0;
        MPI_Comm_rank(comm, &rank);
        const GraphNeighbours own = random_graph(n_ranks_, rank, degree_, seed_);
        return mpi::Communicator::graph(comm, own.sources, own.destinations);
    }

private:
    int n_ranks_;
    int degree_;
    std::uint64_t seed_;
};

} // namespace

extern const TopologyMember graph;
const TopologyMember graph = {
    {"graph", "a directed graph that the seed decides, with degrees from 0 up", "", graph_parameters},
    [](const Bound& bound, int n_ranks) -> std::unique_ptr<Topology> {
        return std::make_unique<GraphTopology>(n_ranks, static_cast<int>(bound.count("degree")), bound.count("seed"));
    }};

} // namespace ictus::topology
