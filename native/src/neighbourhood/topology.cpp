// The members of family `topology`.
#include "neighbourhood/topology.hpp"

#include "base/error.hpp"
#include "mpi/handles.hpp"
#include "neighbourhood/neighbourhood.hpp"
#include "neighbourhood/torus.hpp"

namespace ictus {
namespace topology {
namespace {

// What both Cartesian members are, once the lengths are known.
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

constexpr Parameter periodic_parameter{.name = "periodic",
                                       .type = Parameter::Type::flag,
                                       .default_value = "off",
                                       .help = "whether the last rank of every dimension is a neighbour of the first; "
                                               "if not, blocks at the borders stay unwritten"};

// `cartesian`: a grid with the lengths that MPI_Dims_create gives, by MPI_Cart_create.
constexpr Parameter cartesian_parameters[] = {
    {.name = "dimensions",
     .type = Parameter::Type::count,
     .default_value = "2",
     .help = "their number; a rank has two neighbours in each",
     .minimum = 1,
     .maximum = 3},
    periodic_parameter,
};

std::unique_ptr<Topology> make_cartesian(const Bound& bound, int n_ranks) {
    std::vector<int> lengths(bound.count("dimensions"), 0);
    mpi::check(MPI_Dims_create(n_ranks, static_cast<int>(lengths.size()), lengths.data()), "MPI_Dims_create");
    return std::make_unique<GridTopology>(std::move(lengths), bound.flag("periodic"));
}

// `grid`: a Cartesian grid with given lengths, `grid(4,2,periodic=on)`.
constexpr Parameter grid_parameters[] = {
    {.name = "lengths",
     .type = Parameter::Type::list,
     .default_value = "1",
     .help = "ranks along each of 1 to 3 dimensions; their product is the number of ranks"},
    periodic_parameter,
};

std::unique_ptr<Topology> make_grid(const Bound& bound, int n_ranks) {
    std::vector<int> lengths = torus::given_lengths(bound.list("lengths"), n_ranks, "topology 'grid'");
    if (lengths.size() > 3) {
        throw usage_error("topology 'grid': " + std::to_string(lengths.size()) +
                          " lengths; grids have 1 to 3 dimensions");
    }
    return std::make_unique<GridTopology>(std::move(lengths), bound.flag("periodic"));
}

// `graph`: a directed graph that the seed decides, by MPI_Dist_graph_create_adjacent. Degrees differ from rank to rank,
// in from out, and reach down to 0 (neighbourhood/neighbourhood).
constexpr Parameter graph_parameters[] = {
    {.name = "degree",
     .type = Parameter::Type::count,
     .default_value = "3",
     .help = "largest number of sources, and of destinations, of a rank; at most the number of ranks",
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

const TopologyMember cartesian = {
    {"cartesian", "a grid whose lengths MPI_Dims_create chooses", "", cartesian_parameters}, make_cartesian};

const TopologyMember grid = {{"grid", "a grid with given lengths", "", grid_parameters}, make_grid};

const TopologyMember graph = {
    {"graph", "a directed graph that the seed decides, with degrees from 0 up", "", graph_parameters},
    [](const Bound& bound, int n_ranks) -> std::unique_ptr<Topology> {
        return std::make_unique<GraphTopology>(n_ranks, static_cast<int>(bound.count("degree")), bound.count("seed"));
    }};

} // namespace

const Registry<Topology, int>& registry() {
    static const Registry<Topology, int> all{
        "topology", "which ranks are neighbours in a neighbourhood collective", {&cartesian, &grid, &graph}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace topology

} // namespace ictus
