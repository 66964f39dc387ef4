// The schedules of sparse exchanges, carried out in memory for all ranks of a torus at once and compared with what the
// exchange means; their rounds against formulas.
#include "check.hpp"
#include "neighbourhood/sparse_schedule.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <set>

using namespace ictus;

namespace {

using Kind = SparseSchedule (*)(const Torus&, const Neighbourhood&, SparseAlgorithm);
using Buffer = BlockLocation::Buffer;

constexpr SparseAlgorithm algorithms[] = {SparseAlgorithm::direct, SparseAlgorithm::dimensions,
                                          SparseAlgorithm::logarithmic};

/// What a block holds: nothing that was sent, or who sent it, and which of his blocks it was.
struct Content {
    int origin = -1;
    int block = -1;
    friend bool operator==(const Content&, const Content&) = default;
};

constexpr Content untouched{-2, -2}; ///< the receive buffer before; scratch memory that is sent on would differ

struct RankMemory {
    std::vector<Content> send;
    std::vector<Content> scratch;
    std::vector<Content> receive;

    Content& at(BlockLocation one) {
        auto& buffer = one.buffer == Buffer::send ? send : one.buffer == Buffer::scratch ? scratch : receive;
        return buffer.at(static_cast<std::size_t>(one.block));
    }
};

std::vector<int> coordinates(int rank, const std::vector<int>& lengths) {
    std::vector<int> at(lengths.size());
    for (std::size_t k = lengths.size(); k-- > 0; rank /= lengths[k]) {
        at[k] = rank % lengths[k];
    }
    return at;
}

int size_of(const Torus& torus) {
    int size = 1;
    for (const int length : torus.lengths()) {
        size *= length;
    }
    return size;
}

/// By coordinates and without Torus: the rank from which `offset` leads to `rank`; -1 where an open dimension ends.
int source_of(int rank, const GridOffset& offset, const std::vector<int>& lengths,
              const std::vector<bool>& periodic = {}) {
    std::vector<int> at = coordinates(rank, lengths);
    int origin = 0;
    for (std::size_t k = 0; k < lengths.size(); ++k) {
        for (int step = 0; step < std::abs(offset[k]); ++step) { // one step at a time
            at[k] += offset[k] > 0 ? -1 : 1;
            if (!periodic.empty() && !periodic[k] && (at[k] < 0 || at[k] == lengths[k])) {
                return -1;
            }
            at[k] = at[k] < 0 ? lengths[k] - 1 : at[k] == lengths[k] ? 0 : at[k];
        }
        origin = origin * lengths[k] + at[k];
    }
    return origin;
}

/// On an open mesh blocks that have no origin or no destination stay away.
void carry_out(const SparseSchedule& schedule, const std::vector<int>& lengths, const std::vector<bool>& periodic,
               std::vector<RankMemory>& ranks) {
    const Torus torus(lengths, periodic);
    for (const SparseRound& round : schedule.rounds) {
        const std::vector<RankMemory> before = ranks; // all send what they had before the round
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            const int from = source_of(static_cast<int>(rank), round.jump, lengths, periodic);
            if (from < 0) {
                continue;
            }
            RankMemory sender = before[static_cast<std::size_t>(from)];
            std::set<std::pair<int, int>> written;
            std::size_t n_written = 0;
            for (const Transfer& transfer : round.transfers) {
                if (is_on(torus, transfer, from)) {
                    ranks[rank].at(transfer.to) = sender.at(transfer.from);
                    written.insert({static_cast<int>(transfer.to.buffer), transfer.to.block});
                    ++n_written;
                }
            }
            for (const Transfer& transfer : round.transfers) { // else MPI would read what it is writing
                if (is_on(torus, transfer, static_cast<int>(rank))) {
                    CHECK(!written.contains({static_cast<int>(transfer.from.buffer), transfer.from.block}));
                }
            }
            CHECK_EQ(n_written, written.size());
        }
    }
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        for (const Transfer& copy : schedule.copies) {
            if (is_on(torus, copy, static_cast<int>(rank))) {
                ranks[rank].at(copy.to) = ranks[rank].at(copy.from);
            }
        }
    }
}

/// Whether every block of every rank ends up where the exchange says.
bool is_right(const SparseSchedule& schedule, Kind kind, const std::vector<int>& lengths,
              const Neighbourhood& neighbourhood, const std::vector<bool>& periodic = {}) {
    const bool same_to_all = kind == sparse_allgather;
    const Torus torus(lengths);
    std::vector<RankMemory> ranks(static_cast<std::size_t>(size_of(torus)));
    for (int rank = 0; rank < size_of(torus); ++rank) {
        RankMemory& memory = ranks[static_cast<std::size_t>(rank)];
        for (int block = 0; block < (same_to_all ? 1 : static_cast<int>(neighbourhood.size())); ++block) {
            memory.send.push_back({rank, block});
        }
        memory.scratch.resize(schedule.scratch.size());
        memory.receive.resize(neighbourhood.size(), untouched);
    }
    carry_out(schedule, lengths, periodic, ranks);
    for (int rank = 0; rank < size_of(torus); ++rank) {
        for (std::size_t i = 0; i < neighbourhood.size(); ++i) {
            const int origin = source_of(rank, neighbourhood[i], lengths, periodic);
            const Content expected = origin < 0 ? untouched : Content{origin, same_to_all ? 0 : static_cast<int>(i)};
            if (!(ranks[static_cast<std::size_t>(rank)].receive[i] == expected)) {
                return false;
            }
        }
    }
    return true;
}

struct TorusCase {
    std::vector<int> lengths;
    Neighbourhood neighbourhood;
};

std::vector<TorusCase> torus_cases() {
    std::vector<TorusCase> all;
    for (const int n : {1, 2, 3, 4, 5, 7, 8, 13}) {
        for (const Neighbourhood& one : {moore(1, 1), moore(1, 3), von_neumann(1, 6), Neighbourhood{{0}, {1}, {1}},
                                         Neighbourhood{{4}, {-8}, {12}}, Neighbourhood{{5}}, Neighbourhood{}}) {
            all.push_back({{n}, one});
        }
    }
    for (const auto& lengths : {std::vector{1, 1}, {3, 1}, {2, 2}, {4, 2}, {3, 5}, {9, 7}}) {
        for (const Neighbourhood& one :
             {moore(2, 1), moore(2, 2), von_neumann(2, 2), Neighbourhood{{-1, 3}, {100, -100}, {0, 0}, {2, 2}},
              Neighbourhood{{1, 1}, {1, 1}, {2, 0}, {1, 0}}}) {
            all.push_back({lengths, one});
        }
    }
    for (const auto& lengths : {std::vector{1, 1, 1}, {2, 2, 2}, {3, 2, 1}, {3, 4, 5}}) {
        for (const Neighbourhood& one : {moore(3, 1), von_neumann(3, 2), Neighbourhood{{1, 1, 1}, {0, 1, -1}}}) {
            all.push_back({lengths, one});
        }
    }
    return all;
}

/// Blocks that a rank sends in all rounds.
std::size_t sent(const SparseSchedule& schedule) {
    std::size_t sum = 0;
    for (const SparseRound& round : schedule.rounds) {
        sum += round.transfers.size();
    }
    return sum;
}

std::size_t rounds(const TorusCase& one, SparseAlgorithm algorithm) {
    return sparse_alltoall(Torus(one.lengths), one.neighbourhood, algorithm).rounds.size();
}

std::size_t ceil_log2(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(std::bit_width(n - 1)); }

} // namespace

TEST(every_block_arrives_on_every_torus) {
    for (const TorusCase& one : torus_cases()) {
        for (const SparseAlgorithm algorithm : algorithms) {
            for (const Kind kind : {sparse_alltoall, sparse_allgather}) {
                const auto schedule = kind(Torus(one.lengths), one.neighbourhood, algorithm);
                CHECK(is_right(schedule, kind, one.lengths, one.neighbourhood));
            }
        }
    }
}

/// Of up to three dimensions, with steps that lead once round it and further.
class RandomCases {
public:
    int draw(int n) {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<int>((state_ >> 33) % static_cast<std::uint64_t>(n));
    }
    TorusCase next() {
        TorusCase one;
        const int dimensions = 1 + draw(3);
        for (int k = 0; k < dimensions; ++k) {
            one.lengths.push_back(1 + draw(6));
        }
        for (int i = draw(12); i > 0; --i) {
            GridOffset offset;
            for (int k = 0; k < dimensions; ++k) {
                offset.push_back(draw(15) - 7);
            }
            one.neighbourhood.push_back(offset);
        }
        return one;
    }

private:
    std::uint64_t state_ = 1;
};

TEST(random_neighbourhoods_arrive_too) {
    RandomCases random;
    for (int trial = 0; trial < (check::in_few_worlds() ? 40 : 200); ++trial) {
        const TorusCase one = random.next();
        for (const SparseAlgorithm algorithm : algorithms) {
            for (const Kind kind : {sparse_alltoall, sparse_allgather}) {
                const auto schedule = kind(Torus(one.lengths), one.neighbourhood, algorithm);
                CHECK(is_right(schedule, kind, one.lengths, one.neighbourhood));
            }
        }
    }
}

TEST(on_open_meshes_blocks_arrive_and_places_of_nobody_stay_as_they_were) {
    RandomCases random;
    for (int trial = 0; trial < (check::in_few_worlds() ? 60 : 300); ++trial) {
        const TorusCase one = random.next();
        std::vector<bool> periodic;
        for (std::size_t k = 0; k < one.lengths.size(); ++k) {
            periodic.push_back(trial % 3 != 0 && random.draw(2) == 1); // every third is open in all dimensions
        }
        for (const SparseAlgorithm algorithm : algorithms) {
            for (const Kind kind : {sparse_alltoall, sparse_allgather}) {
                const auto schedule = kind(Torus(one.lengths, periodic), one.neighbourhood, algorithm);
                CHECK(is_right(schedule, kind, one.lengths, one.neighbourhood, periodic));
            }
        }
    }
}

TEST(on_open_meshes_no_block_travels_that_arrives_nowhere) {
    const std::vector<int> lengths{3, 2, 4};
    const std::vector<bool> periodic(3, false);
    const Torus mesh(lengths, periodic);
    const Neighbourhood neighbourhood = moore(3, 1);
    std::size_t expected = 0; // a block moves once for each dimension that it crosses, if its neighbour is there
    std::size_t found = 0;
    const auto schedule = sparse_alltoall(mesh, neighbourhood, SparseAlgorithm::dimensions);
    for (int rank = 0; rank < size_of(mesh); ++rank) {
        for (const GridOffset& offset : neighbourhood) {
            GridOffset back(offset);
            std::ranges::transform(back, back.begin(), std::negate());
            if (source_of(rank, back, lengths, periodic) >= 0) {
                expected += static_cast<std::size_t>(std::ranges::count_if(offset, [](int step) { return step != 0; }));
            }
        }
        for (const SparseRound& round : schedule.rounds) {
            found += static_cast<std::size_t>(std::ranges::count_if(
                round.transfers, [&](const Transfer& transfer) { return is_on(mesh, transfer, rank); }));
        }
    }
    CHECK_EQ(expected, found);
}

TEST(on_a_closed_torus_no_block_is_left_out) {
    for (const TorusCase& one : torus_cases()) {
        const Torus torus(one.lengths);
        for (const SparseRound& round :
             sparse_alltoall(torus, one.neighbourhood, SparseAlgorithm::logarithmic).rounds) {
            for (const Transfer& transfer : round.transfers) {
                CHECK(is_on(torus, transfer, 0));
            }
        }
    }
}

TEST(along_an_open_line_steps_on_and_back_take_logarithms_of_their_own) {
    for (int radius = 1; radius <= 40; ++radius) {
        const Torus line({100}, {false});
        CHECK_EQ(2 * ceil_log2(static_cast<std::size_t>(radius) + 1),
                 sparse_alltoall(line, moore(1, radius), SparseAlgorithm::logarithmic).rounds.size());
    }
}

TEST(a_schedule_with_one_slip_is_seen_to_be_wrong) {
    const TorusCase one{{4, 3}, moore(2, 1)};
    for (const SparseAlgorithm algorithm : algorithms) {
        for (const Kind kind : {sparse_alltoall, sparse_allgather}) {
            const auto honest = kind(Torus(one.lengths), one.neighbourhood, algorithm);
            for (std::size_t r = 0; r < honest.rounds.size(); ++r) {
                auto slipped = honest;
                slipped.rounds[r].jump[0] += 1;
                CHECK(!is_right(slipped, kind, one.lengths, one.neighbourhood));
                slipped = honest;
                slipped.rounds[r].transfers.pop_back();
                CHECK(!is_right(slipped, kind, one.lengths, one.neighbourhood));
            }
        }
    }
}

TEST(direct_takes_a_round_for_each_neighbour_and_moves_every_block_once) {
    const TorusCase one{{5, 5, 5}, moore(3, 1)};
    CHECK_EQ(std::size_t{26}, rounds(one, SparseAlgorithm::direct));
    const auto schedule = sparse_alltoall(Torus(one.lengths), one.neighbourhood, SparseAlgorithm::direct);
    CHECK_EQ(std::size_t{26}, sent(schedule));
    CHECK_EQ(std::size_t{0}, schedule.scratch.size());
}

TEST(along_dimensions_rounds_are_the_step_lengths_and_blocks_move_once_a_dimension_that_they_cross) {
    const TorusCase cube{{5, 5, 5}, moore(3, 1)};
    CHECK_EQ(std::size_t{6}, rounds(cube, SparseAlgorithm::dimensions));
    const auto all = sparse_alltoall(Torus(cube.lengths), cube.neighbourhood, SparseAlgorithm::dimensions);
    CHECK_EQ(std::size_t{6 * 1 + 12 * 2 + 8 * 3}, sent(all)); // faces, edges, corners of a cube
    // The same block to all: 2 along the first dimension, then each of 3 twice more, then each of 9 twice more.
    const auto one = sparse_allgather(Torus(cube.lengths), cube.neighbourhood, SparseAlgorithm::dimensions);
    CHECK_EQ(std::size_t{26}, sent(one));
    CHECK_EQ(std::size_t{0}, one.scratch.size());
    CHECK_EQ(std::size_t{4}, rounds({{20}, {{7}, {-7}, {3}, {10}}}, SparseAlgorithm::dimensions));
    CHECK_EQ(std::size_t{2}, rounds({{7}, {{7}, {-5}, {2}, {3}}}, SparseAlgorithm::dimensions)); // modulo 7: 2 and 3
}

TEST(logarithmic_rounds_in_one_dimension_are_the_logarithm_of_the_span) {
    for (int radius = 1; radius <= 40; ++radius) {
        const auto span = static_cast<std::size_t>(2 * radius + 1);
        CHECK_EQ(ceil_log2(span), rounds({{100}, moore(1, radius)}, SparseAlgorithm::logarithmic));
        Neighbourhood onwards;
        for (int step = 1; step <= radius; ++step) {
            onwards.push_back({-3 * step}); // three times as far: as many jumps, three times as long
        }
        CHECK_EQ(ceil_log2(static_cast<std::size_t>(radius) + 1),
                 rounds({{1000}, onwards}, SparseAlgorithm::logarithmic));
        for (const int n : {2, 3, 5, 8, 13, 64}) { // never more than a whole circle
            CHECK_EQ(ceil_log2(static_cast<std::size_t>(std::min(n, 2 * radius + 1))),
                     rounds({{n}, moore(1, radius)}, SparseAlgorithm::logarithmic));
        }
    }
}

TEST(logarithmic_rounds_lie_between_log_s_and_log_p_and_are_never_more_than_along_dimensions) {
    for (const TorusCase& one : torus_cases()) {
        const Torus torus(one.lengths);
        std::set<int> reached{0};
        for (const GridOffset& offset : one.neighbourhood) {
            reached.insert(torus.after(0, offset));
        }
        std::size_t whole_circles = 0;
        for (const int length : one.lengths) {
            whole_circles += ceil_log2(static_cast<std::size_t>(length));
        }
        const std::size_t own = rounds(one, SparseAlgorithm::logarithmic);
        CHECK(own >= ceil_log2(reached.size()));
        CHECK(own <= whole_circles);
        CHECK(own <= rounds(one, SparseAlgorithm::dimensions));
    }
}

TEST(allgather_sends_no_more_than_alltoall) {
    for (const TorusCase& one : torus_cases()) {
        for (const SparseAlgorithm algorithm : algorithms) {
            const Torus torus(one.lengths);
            CHECK(sent(sparse_allgather(torus, one.neighbourhood, algorithm)) <=
                  sent(sparse_alltoall(torus, one.neighbourhood, algorithm)));
        }
    }
}

TEST(neighbours_of_another_dimension_are_refused) {
    CHECK_THROWS(sparse_alltoall(Torus({2, 2}), {{1}}, SparseAlgorithm::direct),
                 "a neighbour has 1 coordinates on a torus of 2 dimensions");
    CHECK_THROWS(parse_sparse_algorithm("fast"), "known are direct, dimensions, logarithmic");
}
