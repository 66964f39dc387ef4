// ictus/isomorphic.h on real ranks: every form, schedule and kind of mesh delivers what MPI's own neighbourhood
// collective does on a graph of the ranks that MPI_Cart_rank names; and its errors. The whole receive buffer is
// compared, so that what nobody sends to must be untouched.
#include "check.hpp"
#include "ictus/isomorphic.h"

#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

namespace {

constexpr ictus_isomorphic_schedule schedules[] = {ICTUS_ISOMORPHIC_DIRECT, ICTUS_ISOMORPHIC_DIMENSIONS,
                                                   ICTUS_ISOMORPHIC_LOGARITHMIC};
constexpr int n_numbers = 4096; ///< of a buffer

using Offset = std::vector<int>;

int rank_of_world() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

/// All ranks on a grid as square as MPI makes it.
class Grid {
public:
    explicit Grid(std::vector<int> periodic) : periodic_(std::move(periodic)), lengths_(periodic_.size(), 0) {
        int n_ranks = 0;
        MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
        MPI_Dims_create(n_ranks, dimensions(), lengths_.data());
        MPI_Cart_create(MPI_COMM_WORLD, dimensions(), lengths_.data(), periodic_.data(), 0, &comm_);
        MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    }
    ~Grid() { MPI_Comm_free(&comm_); }
    Grid(const Grid&) = delete;
    Grid& operator=(const Grid&) = delete;

    [[nodiscard]] MPI_Comm comm() const { return comm_; }
    [[nodiscard]] int dimensions() const { return static_cast<int>(periodic_.size()); }
    /// The rank `direction` times `offset` away; MPI_PROC_NULL where the mesh has ended.
    [[nodiscard]] int away(const Offset& offset, int direction) const {
        std::vector<int> at(periodic_.size());
        MPI_Cart_coords(comm_, rank_of_world(), dimensions(), at.data());
        for (std::size_t k = 0; k < at.size(); ++k) {
            at[k] += direction * offset[k];
            if (periodic_[k] == 0 && (at[k] < 0 || at[k] >= lengths_[k])) {
                return MPI_PROC_NULL;
            }
        }
        int rank = MPI_PROC_NULL;
        MPI_Cart_rank(comm_, at.data(), &rank);
        return rank;
    }

private:
    std::vector<int> periodic_;
    std::vector<int> lengths_;
    MPI_Comm comm_ = MPI_COMM_NULL;
};

/// All at most one step away in every dimension; and a list with itself, another one twice, and long ways.
std::vector<std::vector<Offset>> neighbourhoods(int dimensions) {
    const auto d = static_cast<std::size_t>(dimensions);
    std::vector<Offset> all{Offset(d, 0)};
    for (std::size_t k = 0; k < d; ++k) {
        std::vector<Offset> longer;
        for (const Offset& one : all) {
            for (const int step : {-1, 0, 1}) {
                longer.push_back(one);
                longer.back()[k] = step;
            }
        }
        all = longer;
    }
    Offset far(d, 3);
    far[0] = -2;
    Offset one(d, 0);
    one[d - 1] = 1;
    Offset round(d, 1);
    round[0] = 1000001;
    return {all, {Offset(d, 0), one, far, one, round, Offset(d, 2), Offset(d, -3)}, {}};
}

/// The blocks of one buffer: MPI's arguments of the w form, by which all forms are described.
struct Blocks {
    std::vector<int> counts;
    std::vector<MPI_Aint> places;
    std::vector<MPI_Datatype> types;

    void add(int count, std::ptrdiff_t place, MPI_Datatype type) {
        counts.push_back(count);
        places.push_back(static_cast<MPI_Aint>(place * static_cast<std::ptrdiff_t>(sizeof(int))));
        types.push_back(type);
    }
    /// Those of some of the neighbours.
    [[nodiscard]] Blocks of(const std::vector<std::size_t>& which) const {
        Blocks some;
        for (const std::size_t i : which) {
            some.counts.push_back(counts[i]);
            some.places.push_back(places[i]);
            some.types.push_back(types[i]);
        }
        if (which.empty()) {
            some.add(0, 0, MPI_INT); // Open MPI reads the first even where there is none
        }
        return some;
    }
};

/// Of `rank`: every number is another one.
std::vector<int> send_buffer(int rank) {
    std::vector<int> numbers(n_numbers);
    std::iota(numbers.begin(), numbers.end(), rank * n_numbers);
    return numbers;
}

struct Buffers {
    std::vector<int> send = send_buffer(rank_of_world());
    std::vector<int> receive = std::vector<int>(n_numbers, -1);
};

/// The receive buffer after an exchange, made without a message: each block packed from its sender's numbers.
std::vector<int> by_arithmetic(const Grid& grid, const std::vector<Offset>& neighbours, const Blocks& sent,
                               const Blocks& received) {
    Buffers buffers;
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
        const int source = grid.away(neighbours[i], -1);
        if (source == MPI_PROC_NULL) {
            continue;
        }
        const std::vector<int> theirs = send_buffer(source);
        std::vector<char> packed(n_numbers);
        int size = 0;
        int at = 0;
        MPI_Pack(reinterpret_cast<const char*>(theirs.data()) + sent.places[i], sent.counts[i], sent.types[i],
                 packed.data(), n_numbers, &size, MPI_COMM_SELF);
        MPI_Unpack(packed.data(), size, &at, reinterpret_cast<char*>(buffers.receive.data()) + received.places[i],
                   received.counts[i], received.types[i], MPI_COMM_SELF);
    }
    return buffers.receive;
}

/// The receive buffer after MPI_Neighbor_alltoallw.
std::vector<int> by_mpi(const Grid& grid, const std::vector<Offset>& neighbours, const Blocks& sent,
                        const Blocks& received) {
    std::vector<int> sources;
    std::vector<int> destinations;
    std::vector<std::size_t> in;
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
        if (const int rank = grid.away(neighbours[i], -1); rank != MPI_PROC_NULL) {
            sources.push_back(rank);
            in.push_back(i);
        }
        if (const int rank = grid.away(neighbours[i], 1); rank != MPI_PROC_NULL) {
            destinations.push_back(rank);
            out.push_back(i);
        }
    }
    MPI_Comm graph = MPI_COMM_NULL;
    // Open MPI's MPI_Neighbor_alltoallw fails on a graph that was made of a communicator with a topology.
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, static_cast<int>(in.size()), sources.data(), MPI_UNWEIGHTED,
                                   static_cast<int>(out.size()), destinations.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &graph);
    Buffers buffers;
    const Blocks outgoing = sent.of(out);
    const Blocks incoming = received.of(in);
    MPI_Neighbor_alltoallw(buffers.send.data(), outgoing.counts.data(), outgoing.places.data(), outgoing.types.data(),
                           buffers.receive.data(), incoming.counts.data(), incoming.places.data(),
                           incoming.types.data(), graph);
    MPI_Comm_free(&graph);
    return buffers.receive;
}

class Around {
public:
    Around(const Grid& grid, const std::vector<Offset>& neighbours) {
        std::vector<int> offsets;
        for (const Offset& one : neighbours) {
            offsets.insert(offsets.end(), one.begin(), one.end());
        }
        CHECK_EQ(MPI_SUCCESS,
                 ictus_isomorphic_create(grid.comm(), static_cast<int>(neighbours.size()), offsets.data(), &handle_));
    }
    ~Around() { ictus_isomorphic_free(&handle_); }
    Around(const Around&) = delete;
    Around& operator=(const Around&) = delete;
    [[nodiscard]] const ictus_isomorphic* handle() const { return handle_; }

private:
    ictus_isomorphic* handle_ = nullptr;
};

/// A case of one form: what it is called with, and the same as blocks of the w form. `make` makes the exchange.
template <class Make>
void check_form(const Grid& grid, const std::vector<Offset>& neighbours, const Blocks& sent, const Blocks& received,
                Make make) {
    const std::vector<int> expected = by_arithmetic(grid, neighbours, sent, received);
    CHECK(by_mpi(grid, neighbours, sent, received) == expected);
    const Around around(grid, neighbours);
    for (const ictus_isomorphic_schedule schedule : schedules) {
        Buffers buffers;
        const std::vector<int> untouched = buffers.receive;
        ictus_isomorphic_exchange* exchange = nullptr;
        CHECK_EQ(MPI_SUCCESS, make(buffers, around.handle(), schedule, &exchange));
        CHECK(buffers.receive == untouched);
        for (int run = 0; run < 2; ++run) { // the second with nothing left over from the first
            buffers.receive = untouched;
            CHECK_EQ(MPI_SUCCESS, ictus_isomorphic_run(exchange));
            CHECK(buffers.receive == expected);
        }
        CHECK_EQ(MPI_SUCCESS, ictus_isomorphic_exchange_free(&exchange));
        CHECK(exchange == nullptr);
    }
}

template <class Check>
void on_every_mesh(Check check) {
    for (const std::vector<int>& periodic :
         {std::vector{1}, {0}, {1, 1}, {0, 0}, {1, 0}, {1, 1, 1}, {0, 0, 0}, {0, 1, 0}}) {
        const Grid grid(periodic);
        for (const auto& neighbours : neighbourhoods(grid.dimensions())) {
            check(grid, neighbours);
        }
    }
}

/// Blocks of 0 to 3 numbers with gaps, in another order than the neighbours on the receiving side.
struct Varied {
    std::vector<int> counts;
    std::vector<int> send_places;
    std::vector<int> receive_places;

    explicit Varied(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            counts.push_back(static_cast<int>(i * 7 % 4));
            send_places.push_back(static_cast<int>(5 * i));
            receive_places.push_back(static_cast<int>(4 * (n - i)));
        }
    }
};

/// A handle that frees itself.
class Column {
public:
    /// Of `n` numbers, `stride` apart.
    Column(int n, int stride) {
        MPI_Type_vector(n, 1, stride, MPI_INT, &type_);
        MPI_Type_commit(&type_);
    }
    ~Column() { MPI_Type_free(&type_); }
    Column(const Column&) = delete;
    Column& operator=(const Column&) = delete;
    [[nodiscard]] MPI_Datatype type() const { return type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// The class of an error and whether its text has this part.
void check_error(int code, int error_class, const std::string& part) {
    int own_class = MPI_SUCCESS;
    MPI_Error_class(code, &own_class);
    CHECK_EQ(error_class, own_class);
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    CHECK(std::string(text).find(part) != std::string::npos);
}

} // namespace

TEST(ranks_are_those_of_mpi_cart_rank) {
    on_every_mesh([](const Grid& grid, const std::vector<Offset>& neighbours) {
        const Around around(grid, neighbours);
        std::vector<int> sources(neighbours.size());
        std::vector<int> destinations(neighbours.size());
        CHECK_EQ(MPI_SUCCESS, ictus_isomorphic_ranks(around.handle(), sources.data(), destinations.data()));
        for (std::size_t i = 0; i < neighbours.size(); ++i) {
            CHECK_EQ(grid.away(neighbours[i], -1), sources[i]);
            CHECK_EQ(grid.away(neighbours[i], 1), destinations[i]);
        }
    });
}

TEST(alltoall_is_that_of_mpi) {
    on_every_mesh([](const Grid& grid, const std::vector<Offset>& neighbours) {
        const Column pairs(2, 1);
        Blocks sent;
        Blocks received;
        for (std::size_t i = 0; i < neighbours.size(); ++i) {
            sent.add(6, static_cast<int>(6 * i), MPI_INT);
            received.add(3, static_cast<int>(6 * i), pairs.type());
        }
        check_form(grid, neighbours, sent, sent, [](Buffers& buffers, const auto* around, auto schedule, auto** made) {
            return ictus_isomorphic_alltoall_init(buffers.send.data(), 6, MPI_INT, buffers.receive.data(), 6, MPI_INT,
                                                  around, schedule, made);
        });
        check_form(grid, neighbours, sent, received,
                   [&](Buffers& buffers, const auto* around, auto schedule, auto** made) {
                       return ictus_isomorphic_alltoall_init(buffers.send.data(), 6, MPI_INT, buffers.receive.data(), 3,
                                                             pairs.type(), around, schedule, made);
                   });
    });
}

TEST(alltoallv_is_that_of_mpi) {
    on_every_mesh([](const Grid& grid, const std::vector<Offset>& neighbours) {
        const Varied varied(neighbours.size());
        Blocks sent;
        Blocks received;
        for (std::size_t i = 0; i < neighbours.size(); ++i) {
            sent.add(varied.counts[i], varied.send_places[i], MPI_INT);
            received.add(varied.counts[i], varied.receive_places[i], MPI_INT);
        }
        check_form(
            grid, neighbours, sent, received, [&](Buffers& buffers, const auto* around, auto schedule, auto** made) {
                return ictus_isomorphic_alltoallv_init(buffers.send.data(), varied.counts.data(),
                                                       varied.send_places.data(), MPI_INT, buffers.receive.data(),
                                                       varied.counts.data(), varied.receive_places.data(), MPI_INT,
                                                       around, schedule, made);
            });
    });
}

TEST(alltoallw_is_that_of_mpi) {
    on_every_mesh([](const Grid& grid, const std::vector<Offset>& neighbours) {
        const Column column(4, 3);
        Blocks sent;
        Blocks received;
        for (std::size_t i = 0; i < neighbours.size(); ++i) { // rows become columns, and columns rows
            const bool is_row = i % 2 == 0;
            const auto n = static_cast<std::ptrdiff_t>(neighbours.size() - i);
            sent.add(is_row ? 4 : 1, static_cast<std::ptrdiff_t>(16 * i), is_row ? MPI_INT : column.type());
            received.add(is_row ? 1 : 4, 16 * n, is_row ? column.type() : MPI_INT);
        }
        check_form(
            grid, neighbours, sent, received, [&](Buffers& buffers, const auto* around, auto schedule, auto** made) {
                return ictus_isomorphic_alltoallw_init(buffers.send.data(), sent.counts.data(), sent.places.data(),
                                                       sent.types.data(), buffers.receive.data(),
                                                       received.counts.data(), received.places.data(),
                                                       received.types.data(), around, schedule, made);
            });
    });
}

TEST(allgather_in_its_three_forms_is_that_of_mpi) {
    on_every_mesh([](const Grid& grid, const std::vector<Offset>& neighbours) {
        const Column column(4, 3);
        const std::size_t n = neighbours.size();
        Blocks sent;
        Blocks plain;
        Blocks varied;
        Blocks typed;
        std::vector<int> places;
        for (std::size_t i = 0; i < n; ++i) {
            sent.add(4, 0, MPI_INT);
            plain.add(4, static_cast<std::ptrdiff_t>(4 * i), MPI_INT);
            places.push_back(static_cast<int>(5 * (n - i)));
            varied.add(4, places.back(), MPI_INT);
            typed.add(i % 2 == 0 ? 4 : 1, static_cast<std::ptrdiff_t>(16 * i), i % 2 == 0 ? MPI_INT : column.type());
        }
        check_form(grid, neighbours, sent, plain, [](Buffers& buffers, const auto* around, auto schedule, auto** made) {
            return ictus_isomorphic_allgather_init(buffers.send.data(), 4, MPI_INT, buffers.receive.data(), 4, MPI_INT,
                                                   around, schedule, made);
        });
        check_form(grid, neighbours, sent, varied,
                   [&](Buffers& buffers, const auto* around, auto schedule, auto** made) {
                       return ictus_isomorphic_allgatherv_init(buffers.send.data(), 4, MPI_INT, buffers.receive.data(),
                                                               varied.counts.data(), places.data(), MPI_INT, around,
                                                               schedule, made);
                   });
        check_form(grid, neighbours, sent, typed,
                   [&](Buffers& buffers, const auto* around, auto schedule, auto** made) {
                       return ictus_isomorphic_allgatherw_init(buffers.send.data(), 4, MPI_INT, buffers.receive.data(),
                                                               typed.counts.data(), typed.places.data(),
                                                               typed.types.data(), around, schedule, made);
                   });
    });
}

TEST(messages_are_combined_and_the_set_up_is_measured) {
    const Grid grid({0, 0, 0});
    const Around around(grid, neighbourhoods(3).front()); // 26 neighbours, and the process itself
    Buffers buffers;
    const int most_rounds[] = {26, 6, 6};
    for (std::size_t i = 0; i < std::size(schedules); ++i) {
        ictus_isomorphic_exchange* exchange = nullptr;
        CHECK_EQ(MPI_SUCCESS, ictus_isomorphic_alltoall_init(buffers.send.data(), 1, MPI_INT, buffers.receive.data(), 1,
                                                             MPI_INT, around.handle(), schedules[i], &exchange));
        ictus_isomorphic_set_up set_up{};
        CHECK_EQ(MPI_SUCCESS, ictus_isomorphic_get_set_up(exchange, &set_up));
        CHECK_EQ(most_rounds[i], set_up.rounds);
        CHECK(set_up.neighbourhood_s > 0.0);
        CHECK(set_up.schedule_s > 0.0);
        CHECK(set_up.datatypes_s > 0.0);
        ictus_isomorphic_exchange_free(&exchange);
    }
}

TEST(an_exchange_outlives_its_neighbourhood) {
    const Grid grid({1});
    Buffers buffers;
    ictus_isomorphic_exchange* exchange = nullptr;
    {
        const Around around(grid, {{1}});
        ictus_isomorphic_allgather_init(buffers.send.data(), 1, MPI_INT, buffers.receive.data(), 1, MPI_INT,
                                        around.handle(), ICTUS_ISOMORPHIC_DIRECT, &exchange);
    }
    CHECK_EQ(MPI_SUCCESS, ictus_isomorphic_run(exchange));
    CHECK_EQ(grid.away({1}, -1) * n_numbers, buffers.receive[0]);
    ictus_isomorphic_exchange_free(&exchange);
}

TEST(errors_are_those_of_mpi_with_what_is_allowed) {
    const Grid grid({1, 0});
    const int offsets[] = {0, 1, 1, 0};
    ictus_isomorphic* around = nullptr;
    MPI_Comm plain = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_SELF, &plain);
    MPI_Comm_set_errhandler(plain, MPI_ERRORS_RETURN);
    check_error(ictus_isomorphic_create(plain, 2, offsets, &around), MPI_ERR_TOPOLOGY,
                "the communicator has no Cartesian topology; make one with MPI_Cart_create");
    MPI_Comm_free(&plain);
    check_error(ictus_isomorphic_create(grid.comm(), -1, offsets, &around), MPI_ERR_ARG, "it must be 0 or more");
    check_error(ictus_isomorphic_create(grid.comm(), 2, nullptr, &around), MPI_ERR_ARG, "offsets is NULL");
    int n_ranks = 0;
    MPI_Comm_size(grid.comm(), &n_ranks);
    if (n_ranks > 1) {
        const int others[] = {0, 1, 1, rank_of_world() == 1 ? 1 : 0};
        check_error(ictus_isomorphic_create(grid.comm(), 2, others, &around), MPI_ERR_ARG,
                    "the offsets are not the same on all processes");
        CHECK(around == nullptr);
    }
    CHECK_EQ(MPI_SUCCESS, ictus_isomorphic_create(grid.comm(), 2, offsets, &around));
    ictus_isomorphic_exchange* exchange = nullptr;
    int numbers[4] = {};
    const auto make = [&](const void* send, int send_count, int receive_count, ictus_isomorphic_schedule schedule) {
        return ictus_isomorphic_alltoall_init(send, send_count, MPI_INT, numbers + 2, receive_count, MPI_INT, around,
                                              schedule, &exchange);
    };
    check_error(make(numbers, 2, 1, ICTUS_ISOMORPHIC_DIRECT), MPI_ERR_ARG,
                "block 0 has 8 bytes to send and 4 to receive; both must be the same");
    check_error(make(numbers, -1, 1, ICTUS_ISOMORPHIC_DIRECT), MPI_ERR_ARG,
                "the send buffer, block 0: its count is -1; it must be 0 or more");
    check_error(make(MPI_IN_PLACE, 1, 1, ICTUS_ISOMORPHIC_DIRECT), MPI_ERR_ARG, "is MPI_IN_PLACE");
    check_error(make(numbers, 1, 1, static_cast<ictus_isomorphic_schedule>(3)), MPI_ERR_ARG, "the schedule is 3");
    CHECK(exchange == nullptr);
    check_error(ictus_isomorphic_alltoallv_init(numbers, nullptr, nullptr, MPI_INT, numbers, nullptr, nullptr, MPI_INT,
                                                around, ICTUS_ISOMORPHIC_DIRECT, &exchange),
                MPI_ERR_ARG, "the send buffer: its counts, displacements or datatypes are NULL");
    CHECK_EQ(MPI_SUCCESS, ictus_isomorphic_free(&around));
}
