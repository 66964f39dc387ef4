// A stencil with a deep halo: the field of a torus of ranks is smoothed with its eight neighbours; halos of DEPTH cells
// are exchanged every DEPTH steps, instead of one cell in every step. Blocks are rectangles of different shapes, edges
// and corners, which datatypes describe in place. Each sparse exchange and MPI_Neighbor_alltoallw do the same work; the
// result is compared with one process's computation of the whole field, bit for bit.
//     mpiexec -n 6 mpi_deep_halo [SIDE [DEPTH [STEPS]]]
#include "base/error.hpp"
#include "mpi/handles.hpp"
#include "neighbourhood/sparse_exchange.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

using namespace ictus;

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

mpi::DerivedType rectangle(Field& field, Band rows, Band columns) {
    const int sizes[] = {field.rows() + 2 * field.margin(), field.width()};
    const int parts[] = {rows.length, columns.length};
    const int starts[] = {rows.first + field.margin(), columns.first + field.margin()};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    mpi::check(MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_UINT32_T, &type),
               "MPI_Type_create_subarray");
    return mpi::DerivedType(type);
}

/// The halos of a field: what goes to and comes from each neighbour of moore(1).
struct Halo {
    std::vector<mpi::DerivedType> types;
    std::vector<sparse::TypedBlock> sent;
    std::vector<sparse::TypedBlock> received;

    Halo(Field& field, const Neighbourhood& neighbourhood) {
        const int depth = field.margin();
        for (const GridOffset& to : neighbourhood) {
            types.push_back(
                rectangle(field, leaving(to[0], field.rows(), depth), leaving(to[1], field.columns(), depth)));
            sent.push_back({field.data(), 1, types.back().handle()});
            types.push_back(
                rectangle(field, arriving(to[0], field.rows(), depth), arriving(to[1], field.columns(), depth)));
            received.push_back({field.data(), 1, types.back().handle()});
        }
    }
};

/// MPI's own way: a graph with the eight neighbours, and blocks of datatypes of their own.
class NeighbourExchange {
public:
    NeighbourExchange(const Torus& torus, const Neighbourhood& neighbourhood, const Halo& halo, int rank) {
        std::vector<int> sources;
        std::vector<int> destinations;
        for (std::size_t i = 0; i < neighbourhood.size(); ++i) {
            sources.push_back(torus.before(rank, neighbourhood[i]));
            destinations.push_back(torus.after(rank, neighbourhood[i]));
            sent_.push_back(halo.sent[i].type);
            received_.push_back(halo.received[i].type);
        }
        ones_.assign(neighbourhood.size(), 1);
        starts_.assign(neighbourhood.size(), 0);
        comm_ = mpi::Communicator::graph(MPI_COMM_WORLD, sources, destinations);
    }

    void run(Cell* field) {
        mpi::check(MPI_Neighbor_alltoallw(field, ones_.data(), starts_.data(), sent_.data(), field, ones_.data(),
                                          starts_.data(), received_.data(), comm_.handle()),
                   "MPI_Neighbor_alltoallw");
    }

private:
    mpi::Communicator comm_;
    std::vector<MPI_Datatype> sent_, received_;
    std::vector<int> ones_;
    std::vector<MPI_Aint> starts_;
};

struct Setting {
    int side;  ///< cells of a rank in each dimension
    int depth; ///< of the halo
    int steps;
};

struct Outcome {
    bool right;
    double set_up_s;
    double exchanges_s; ///< all of them together
};

/// The whole field on every process, with the ends of the torus copied into its margin by hand.
Field serial(const Torus& torus, const Setting& setting) {
    const int rows = torus.lengths()[0] * setting.side;
    const int columns = torus.lengths()[1] * setting.side;
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

/// `set_up(field)` returns what exchanges the halos of `field` when it is called.
template <class SetupCost>
Outcome simulate(const Torus& torus, const Setting& setting, int rank, const Field& expected, SetupCost set_up) {
    const int first_row = rank / torus.lengths()[1] * setting.side;
    const int first_column = rank % torus.lengths()[1] * setting.side;
    Field field(setting.side, setting.side, setting.depth);
    Field other(setting.side, setting.side, setting.depth);
    for (int row = 0; row < setting.side; ++row) {
        for (int column = 0; column < setting.side; ++column) {
            field.at(row, column) = initial(first_row + row, first_column + column);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    auto exchange = set_up(field);
    Outcome outcome{true, MPI_Wtime() - begin, 0.0};
    for (int step = 0; step < setting.steps; ++step) {
        if (step % setting.depth == 0) {
            const double start = MPI_Wtime();
            exchange();
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
bool report(const char* name, const Outcome& own, std::size_t rounds, int rank) {
    double worst[] = {own.right ? 0.0 : 1.0, own.set_up_s, own.exchanges_s};
    mpi::check(MPI_Allreduce(MPI_IN_PLACE, worst, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD), "MPI_Allreduce");
    const bool right = worst[0] == 0.0;
    if (rank == 0) {
        std::printf("%-24s %6s %9.1f us %9.1f us  %s\n", name, rounds == 0 ? "-" : std::to_string(rounds).c_str(),
                    1e6 * worst[1], 1e6 * worst[2], right ? "right" : "WRONG");
    }
    return right;
}

bool compare(const Torus& torus, const Setting& setting, int rank) {
    const Neighbourhood neighbourhood = moore(2, 1);
    const Field expected = serial(torus, setting);
    bool right = true;
    for (const char* const name : {"direct", "dimensions", "logarithmic"}) {
        std::size_t rounds = 0;
        const auto set_up = [&](Field& field) {
            const SparseSchedule schedule = sparse_alltoall(torus, neighbourhood, parse_sparse_algorithm(name));
            const auto halo = std::make_shared<Halo>(field, neighbourhood);
            const auto exchange = std::make_shared<sparse::SparseExchange>(MPI_COMM_WORLD, torus, schedule, halo->sent,
                                                                           halo->received, MPI_UINT32_T);
            rounds = exchange->rounds();
            return [halo, exchange] { mpi::check(exchange->run(), "MPI_Sendrecv"); };
        };
        const Outcome outcome = simulate(torus, setting, rank, expected, set_up);
        right = report(name, outcome, rounds, rank) && right;
    }
    const auto set_up = [&](Field& field) {
        const auto halo = std::make_shared<Halo>(field, neighbourhood);
        const auto exchange = std::make_shared<NeighbourExchange>(torus, neighbourhood, *halo, rank);
        return [halo, exchange, &field] { exchange->run(field.data()); };
    };
    const Outcome outcome = simulate(torus, setting, rank, expected, set_up);
    return report("MPI_Neighbor_alltoallw", outcome, 0, rank) && right;
}

int argument(int argc, char** argv, int at, const char* name, int least, int standard) {
    const int value = argc > at ? std::atoi(argv[at]) : standard;
    if (value < least) {
        throw usage_error(std::string("deep_halo: ") + name + " is '" + argv[at] +
                          "'; it must be a whole number from " + std::to_string(least) + " on");
    }
    return value;
}

Setting setting_from(int argc, char** argv) {
    const Setting setting{argument(argc, argv, 1, "SIDE", 1, 24), argument(argc, argv, 2, "DEPTH", 1, 3),
                          argument(argc, argv, 3, "STEPS", 1, 9)};
    if (setting.depth > setting.side) {
        throw usage_error("deep_halo: DEPTH " + std::to_string(setting.depth) + " is more than SIDE " +
                          std::to_string(setting.side) + "; a halo comes from the next rank alone");
    }
    return setting;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int n_ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    bool right = false;
    try {
        const Setting setting = setting_from(argc, argv);
        const Torus torus(balanced_lengths(n_ranks, 2));
        if (rank == 0) {
            std::printf("# %d x %d ranks with %d x %d cells each, halos of %d, %d steps\n", torus.lengths()[0],
                        torus.lengths()[1], setting.side, setting.side, setting.depth, setting.steps);
            std::printf("%-24s %6s %12s %12s\n", "exchange", "rounds", "set-up", "all of them");
        }
        right = compare(torus, setting, rank);
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        MPI_Abort(MPI_COMM_WORLD, error.exit_code());
    }
    MPI_Finalize();
    return right ? 0 : 1;
}
