// The variants of an overlapped case, and a computation that is long enough to hide its communication.
#include "check.hpp"
#include "study/overlap_runs.hpp"

using namespace ictus;

TEST(intervals_that_come_to_the_same_tests_are_one_run) {
    const ComputationKind kinds[] = {ComputationKind::time};
    const std::uint64_t intervals[] = {0, 65536, 16384, 512};
    const std::vector<OverlapRun> runs = runs_of(kinds, intervals, 1024);
    CHECK_EQ(std::size_t{4}, runs.size()); // blocking, no tests, one test, three tests
    CHECK(runs[1].intervals_bytes.empty());
    CHECK((std::vector<std::uint64_t>{65536, 16384}) == runs[2].intervals_bytes);
    CHECK_EQ(std::uint64_t{1}, runs[2].tests.n);
    CHECK((std::vector<std::uint64_t>{512}) == runs[3].intervals_bytes);
    CHECK_EQ(std::uint64_t{3}, runs[3].tests.n);
}

TEST(a_computation_hides_nine_tenths_of_the_blocking_times) {
    CHECK_EQ(9.0, enough_to_hide({10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0})); // of 0 to 10 the value at 0.9 * 10
    CHECK_EQ(4.0, enough_to_hide({4}));
}
