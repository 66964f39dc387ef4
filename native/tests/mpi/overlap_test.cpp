// The phases of an overlapped operation on real ranks: in their order, adding up, with the right result; and a progress
// thread that works only while it is asked to.
#include "check.hpp"
#include "clock/visit.hpp"
#include "measure/overlap.hpp"
#include "measure/progress_thread.hpp"
#include "mpi/session.hpp"

#include <cstdio>
#include <mpi.h>

using namespace ictus;

namespace {

/// A request under way that records what is asked of it.
class Recorded final : public Startable {
public:
    int start(MPI_Request& request) override {
        ++starts;
        return MPI_Ibarrier(MPI_COMM_WORLD, &request);
    }
    int starts = 0;
};

std::unique_ptr<Clock> make_clock() {
    return clock::registry().make(bind(clock::family(), {"monotonic", {}}), ClockPlace{});
}

Phases once(Clock& clock, Computation::Kind kind, std::uint64_t amount, std::uint64_t tests) {
    Recorded operation;
    const Phases phases = overlap_once(clock, operation, {kind, amount, {tests}});
    CHECK_EQ(1, operation.starts);
    return phases;
}

} // namespace

TEST(phases_add_up_to_the_whole_and_none_is_negative) {
    const auto clock = make_clock();
    for (const Computation::Kind kind : {Computation::Kind::none, Computation::Kind::time, Computation::Kind::work}) {
        for (const std::uint64_t tests : {0, 1, 2, 5}) {
            const Ticks before = clock->now();
            const Phases phases = once(*clock, kind, 20000, tests);
            const std::int64_t around = clock->now() - before;
            CHECK(phases.init >= 0 && phases.test >= 0 && phases.compute >= 0 && phases.wait >= 0);
            CHECK(phases.total() <= around);
            CHECK_EQ(phases.init + phases.test + phases.compute + phases.wait, phases.total());
        }
    }
}

TEST(computing_until_the_clock_says_so_is_never_shorter) {
    const auto clock = make_clock();
    for (const std::uint64_t tests : {0, 1, 2, 5}) {
        CHECK(once(*clock, Computation::Kind::time, 200000, tests).compute >= 200000);
    }
}

TEST(what_is_not_asked_for_takes_no_time) {
    const auto clock = make_clock();
    CHECK_EQ(0, once(*clock, Computation::Kind::none, 0, 0).compute);
    CHECK_EQ(0, once(*clock, Computation::Kind::none, 0, 7).test); // completed at once: nothing to test
    CHECK_EQ(0, once(*clock, Computation::Kind::time, 1000, 0).test);
}

TEST(a_workload_takes_at_least_as_long_as_it_must) {
    const auto clock = make_clock();
    const std::uint64_t found = find_workload(*clock, 300e-6);
    CHECK(found > 0);
    const auto begin = clock->now();
    work(10 * found); // nobody can do it faster than undisturbed; ten times, for the median was somewhere in between
    CHECK(static_cast<double>(clock->now() - begin) / clock->frequency_hz() > 300e-6);
}

TEST(a_paused_progress_thread_calls_nothing) {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    CHECK_EQ(int{MPI_THREAD_MULTIPLE}, level);
    ProgressThread thread(std::nullopt, 0.0);
    CHECK_EQ(std::uint64_t{0}, thread.calls());
    std::uint64_t before = 0;
    for (int i = 0; i < 50; ++i) {
        thread.resume();
        while (thread.calls() == before) { // it does call now
        }
        thread.pause();
        before = thread.calls();
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_EQ(before, thread.calls());
    }
}

TEST(a_thread_is_not_put_where_there_is_no_cpu) { CHECK_THROWS(ProgressThread(4000, 0.0), "CPU 4000"); }

int main(int argc, char** argv) {
    const mpi::Session own(&argc, &argv, mpi::Threads::multiple);
    int run = 0;
    for (const check::Test& test : check::tests()) {
        try {
            test.body();
        } catch (const std::exception& error) {
            std::printf("FAILED %s on rank %d of %d\n  %s\n", test.name, own.rank(), own.size(), error.what());
            std::fflush(stdout);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        ++run;
    }
    if (own.rank() == 0) {
        std::printf("%d passed, 0 failed\n", run);
    }
    return 0;
}
