// A stencil with a deep halo: the field of a torus of ranks is smoothed with its eight neighbours; halos of DEPTH cells
// are exchanged every DEPTH steps, instead of one cell in every step. Blocks are rectangles of different shapes, edges
// and corners, which datatypes describe in place. Each schedule of ictus/isomorphic.h and MPI_Neighbor_alltoallw do the
// same work; the result is compared with one process's computation of the whole field, bit for bit.
//     mpicxx deep_halo.cpp $(pkg-config --cflags --libs ictus) -o deep_halo
//     mpiexec -n 6 ./deep_halo [SIDE [DEPTH [STEPS]]]
// It checks no return codes: MPI's default error handler ends the program.
#include <ictus/isomorphic.h>

#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using Cell = std::uint32_t; // sums modulo 2^32 are exact, so that any slip shows

/// A square of cells with a margin on all sides.
class Field {
public:
    Field(int rows, int columns, int margin)
        : rows_(rows), columns_(columns), margin_(margin), width_(columns + 2 * margin),
          cells_(static_cast<std::size_t>((rows + 2 * margin) * width_)) {}

    /// Rows and columns count from the first inner cell; those of the margin are negative or behind the last.
    Cell& at(int row, int column) { return cells_[index(row, column)]; }
    [[nodiscard]] Cell at(int row, int column) const { return cells_[index(row, column)]; }
    Cell* data() { return cells_.data(); }
    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int margin() const { return margin_; }
    [[nodiscard]] int rows() const { return rows_; }
    [[nodiscard]] int columns() const { return columns_; }

private:
    [[nodiscard]] std::size_t index(int row, int column) const {
        return static_cast<std::size_t>((row + margin_) * width_ + column + margin_);
    }
    int rows_, columns_, margin_, width_;
    std::vector<Cell> cells_;
};

Cell initial(int row, int column) { return static_cast<Cell>(row) * 2654435761u ^ static_cast<Cell>(column) * 40503u; }

/// One step on the inner cells and `border` cells around them. The field stays where it is: datatypes point into it.
void smooth(Field& field, Field& next, int border) {
    for (int row = -border; row < field.rows() + border; ++row) {
        for (int column = -border; column < field.columns() + border; ++column) {
            Cell sum = 3 * field.at(row, column);
            for (int i = -1; i <= 1; ++i) {
                for (int j = -1; j <= 1; ++j) {
                    sum += field.at(row + i, column + j);
                }
            }
            next.at(row, column) = sum;
        }
    }
    for (int row = -border; row < field.rows() + border; ++row) {
        for (int column = -border; column < field.columns() + border; ++column) {
            field.at(row, column) = next.at(row, column);
        }
    }
}

/// Where the cells lie along one dimension that go `step` on, or come from `step` back.
struct Band {
    int first;
    int length;
};
Band leaving(int step, int side, int depth) {
    return step == 0 ? Band{0, side} : Band{step > 0 ? side - depth : 0, depth};
}
Band arriving(int step, int side, int depth) {
    return step == 0 ? Band{0, side} : Band{step > 0 ? -depth : side, depth};
}

/// The eight neighbours, as coordinates relative to a rank.
const int around[8][2] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};
const int n_neighbours = 8;

MPI_Datatype rectangle(const Field& field, Band rows, Band columns) {
    const int sizes[] = {field.rows() + 2 * field.margin(), field.width()};
    const int parts[] = {rows.length, columns.length};
    const int starts[] = {rows.first + field.margin(), columns.first + field.margin()};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_UINT32_T, &type);
    MPI_Type_commit(&type);
    return type;
}

/// The halos of a field: one rectangle of it for each neighbour to send, and one to receive.
class Halo {
public:
    explicit Halo(const Field& field) {
        const int depth = field.margin();
        for (int i = 0; i < n_neighbours; ++i) {
            const int* const to = around[i];
            sent[i] = rectangle(field, leaving(to[0], field.rows(), depth), leaving(to[1], field.columns(), depth));
            received[i] =
                rectangle(field, arriving(to[0], field.rows(), depth), arriving(to[1], field.columns(), depth));
            ones[i] = 1;
            starts[i] = 0;
        }
    }
    ~Halo() {
        for (int i = 0; i < n_neighbours; ++i) {
            MPI_Type_free(&sent[i]);
            MPI_Type_free(&received[i]);
        }
    }
    Halo(const Halo&) = delete;
    Halo& operator=(const Halo&) = delete;

    MPI_Datatype sent[n_neighbours];
    MPI_Datatype received[n_neighbours];
    int ones[n_neighbours];
    MPI_Aint starts[n_neighbours];
};

/// What exchanges the halos of one field: a schedule of ours, or MPI.
class HaloExchange {
public:
    HaloExchange(MPI_Comm cart, Field& field, ictus_isomorphic_schedule schedule) : field_(field), halo_(field) {
        ictus_isomorphic_create(cart, n_neighbours, &around[0][0], &neighbours_);
        ictus_isomorphic_alltoallw_init(field.data(), halo_.ones, halo_.starts, halo_.sent, field.data(), halo_.ones,
                                        halo_.starts, halo_.received, neighbours_, schedule, &exchange_);
    }
    /// MPI's own way: a graph with the eight neighbours.
    HaloExchange(MPI_Comm cart, Field& field) : field_(field), halo_(field) {
        int rank = 0;
        int here[2];
        int sources[n_neighbours];
        int destinations[n_neighbours];
        MPI_Comm_rank(cart, &rank);
        MPI_Cart_coords(cart, rank, 2, here);
        for (int i = 0; i < n_neighbours; ++i) {
            const int back[] = {here[0] - around[i][0], here[1] - around[i][1]};
            const int on[] = {here[0] + around[i][0], here[1] + around[i][1]};
            MPI_Cart_rank(cart, back, &sources[i]); // the torus is periodic: coordinates may lie beyond its ends
            MPI_Cart_rank(cart, on, &destinations[i]);
        }
        // The ranks are those of `cart`; on a graph made of a communicator with a topology Open MPI fails.
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, n_neighbours, sources, MPI_UNWEIGHTED, n_neighbours,
                                       destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph_);
    }
    ~HaloExchange() {
        if (exchange_ != nullptr) {
            ictus_isomorphic_exchange_free(&exchange_);
            ictus_isomorphic_free(&neighbours_);
        }
        if (graph_ != MPI_COMM_NULL) {
            MPI_Comm_free(&graph_);
        }
    }
    HaloExchange(const HaloExchange&) = delete;
    HaloExchange& operator=(const HaloExchange&) = delete;

    void run() {
        if (exchange_ != nullptr) {
            ictus_isomorphic_run(exchange_);
            return;
        }
        MPI_Neighbor_alltoallw(field_.data(), halo_.ones, halo_.starts, halo_.sent, field_.data(), halo_.ones,
                               halo_.starts, halo_.received, graph_);
    }
    /// Messages one after another; 0 of MPI, which does not say.
    int rounds() const {
        ictus_isomorphic_set_up set_up = {0, 0.0, 0.0, 0.0};
        if (exchange_ != nullptr) {
            ictus_isomorphic_get_set_up(exchange_, &set_up);
        }
        return set_up.rounds;
    }

private:
    Field& field_;
    Halo halo_;
    ictus_isomorphic* neighbours_ = nullptr;
    ictus_isomorphic_exchange* exchange_ = nullptr;
    MPI_Comm graph_ = MPI_COMM_NULL;
};

struct Grid {
    MPI_Comm cart;
    int lengths[2];
};

struct Setting {
    int side;  ///< cells of a rank in each dimension
    int depth; ///< of the halo
    int steps;
};

struct Outcome {
    bool right;
    int rounds;
    double set_up_s;
    double exchanges_s; ///< all of them together
};

/// The whole field on every process, with the ends of the torus copied into its margin by hand.
Field serial(const Grid& grid, const Setting& setting) {
    const int rows = grid.lengths[0] * setting.side;
    const int columns = grid.lengths[1] * setting.side;
    Field field(rows, columns, 1);
    Field next(rows, columns, 1);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            field.at(row, column) = initial(row, column);
        }
    }
    for (int step = 0; step < setting.steps; ++step) {
        for (int row = -1; row <= rows; ++row) {
            for (int column = -1; column <= columns; ++column) {
                field.at(row, column) = field.at((row + rows) % rows, (column + columns) % columns);
            }
        }
        smooth(field, next, 0);
    }
    return field;
}

/// `how` is a schedule, or nothing for MPI's own way.
template <class... How>
Outcome simulate(const Grid& grid, const Setting& setting, const Field& expected, How... how) {
    int rank = 0;
    MPI_Comm_rank(grid.cart, &rank);
    const int first_row = rank / grid.lengths[1] * setting.side;
    const int first_column = rank % grid.lengths[1] * setting.side;
    Field field(setting.side, setting.side, setting.depth);
    Field other(setting.side, setting.side, setting.depth);
    for (int row = 0; row < setting.side; ++row) {
        for (int column = 0; column < setting.side; ++column) {
            field.at(row, column) = initial(first_row + row, first_column + column);
        }
    }
    MPI_Barrier(grid.cart);
    const double begin = MPI_Wtime();
    HaloExchange exchange(grid.cart, field, how...);
    Outcome outcome = {true, exchange.rounds(), MPI_Wtime() - begin, 0.0};
    for (int step = 0; step < setting.steps; ++step) {
        if (step % setting.depth == 0) {
            const double start = MPI_Wtime();
            exchange.run();
            outcome.exchanges_s += MPI_Wtime() - start;
        }
        smooth(field, other, setting.depth - 1 - step % setting.depth); // so many cells around are still right
    }
    for (int row = 0; row < setting.side; ++row) {
        for (int column = 0; column < setting.side; ++column) {
            outcome.right =
                outcome.right && field.at(row, column) == expected.at(first_row + row, first_column + column);
        }
    }
    return outcome;
}

/// The worst of all ranks, printed by the first. False where a cell is wrong.
bool report(const char* name, const Outcome& own, const Grid& grid) {
    double worst[] = {own.right ? 0.0 : 1.0, own.set_up_s, own.exchanges_s};
    MPI_Allreduce(MPI_IN_PLACE, worst, 3, MPI_DOUBLE, MPI_MAX, grid.cart);
    int rank = 0;
    MPI_Comm_rank(grid.cart, &rank);
    const bool right = worst[0] == 0.0;
    if (rank == 0) {
        char rounds[16] = "-";
        if (own.rounds > 0) {
            std::snprintf(rounds, sizeof rounds, "%d", own.rounds);
        }
        std::printf("%-24s %6s %9.1f us %9.1f us  %s\n", name, rounds, 1e6 * worst[1], 1e6 * worst[2],
                    right ? "right" : "WRONG");
    }
    return right;
}

bool compare(const Grid& grid, const Setting& setting) {
    const Field expected = serial(grid, setting);
    const struct {
        const char* name;
        ictus_isomorphic_schedule schedule;
    } ways[] = {{"direct", ICTUS_ISOMORPHIC_DIRECT},
                {"dimensions", ICTUS_ISOMORPHIC_DIMENSIONS},
                {"logarithmic", ICTUS_ISOMORPHIC_LOGARITHMIC}};
    bool right = true;
    for (const auto& way : ways) {
        right = report(way.name, simulate(grid, setting, expected, way.schedule), grid) && right;
    }
    return report("MPI_Neighbor_alltoallw", simulate(grid, setting, expected), grid) && right;
}

[[noreturn]] void refuse() {
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 2);
    std::abort(); // not reached
}

int argument(int argc, char** argv, int at, const char* name, int least, int standard) {
    const int value = argc > at ? std::atoi(argv[at]) : standard;
    if (value < least) {
        std::fprintf(stderr, "deep_halo: %s is '%s'; it must be a whole number from %d on\n", name, argv[at], least);
        refuse();
    }
    return value;
}

Setting setting_from(int argc, char** argv) {
    const Setting setting{argument(argc, argv, 1, "SIDE", 1, 24), argument(argc, argv, 2, "DEPTH", 1, 3),
                          argument(argc, argv, 3, "STEPS", 1, 9)};
    if (setting.depth > setting.side) {
        std::fprintf(stderr, "deep_halo: DEPTH %d is more than SIDE %d; a halo comes from the next rank alone\n",
                     setting.depth, setting.side);
        refuse();
    }
    return setting;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const Setting setting = setting_from(argc, argv);
    int rank = 0;
    int n_ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    Grid grid = {MPI_COMM_NULL, {0, 0}};
    const int periodic[] = {1, 1};
    MPI_Dims_create(n_ranks, 2, grid.lengths);
    MPI_Cart_create(MPI_COMM_WORLD, 2, grid.lengths, periodic, 0, &grid.cart);
    if (rank == 0) {
        std::printf("# %d x %d ranks with %d x %d cells each, halos of %d, %d steps\n", grid.lengths[0],
                    grid.lengths[1], setting.side, setting.side, setting.depth, setting.steps);
        std::printf("%-24s %6s %12s %12s\n", "exchange", "rounds", "set-up", "all of them");
    }
    const bool right = compare(grid, setting);
    MPI_Comm_free(&grid.cart);
    MPI_Finalize();
    return right ? 0 : 1;
}
