// MPIX_Harmonize as a program uses it: communicators of all kinds, constants, errors.
#include "check.hpp"
#include "ictus/harmonize.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace {

int rank_in(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

int size_of(MPI_Comm comm) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    return size;
}

double true_s() {
    std::timespec now{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void pause_s(double seconds) {
    const std::timespec time{0, static_cast<long>(seconds * 1e9)};
    nanosleep(&time, nullptr);
}

/// Where processes share cores, each communicator takes long to set up, and more than three say nothing new of what is
/// not about their number.
bool many_ranks() { return size_of(MPI_COMM_WORLD) > 3; }

/// A communicator that is freed, whatever a check says.
struct Owned {
    MPI_Comm comm = MPI_COMM_NULL;
    Owned() = default;
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() {
        if (comm != MPI_COMM_NULL) {
            MPI_Comm_free(&comm);
        }
    }
};

/// An info object with one key of ours.
struct Info {
    MPI_Info info = MPI_INFO_NULL;
    Info(const std::string& name, const std::string& value) {
        MPI_Info_create(&info);
        MPI_Info_set(info, ("ictus_harmonize_" + name).c_str(), value.c_str());
    }
    Info(const Info&) = delete;
    Info& operator=(const Info&) = delete;
    ~Info() { MPI_Info_free(&info); }
};

std::string constant(MPI_Comm comm, const std::string& name) {
    MPI_Info info = MPI_INFO_NULL;
    CHECK_EQ(MPI_SUCCESS, MPIX_Harmonize_get_info(comm, &info));
    char value[256] = {};
    int there = 0;
    MPI_Info_get(info, ("ictus_harmonize_" + name).c_str(), 255, value, &there);
    MPI_Info_free(&info);
    CHECK(there != 0);
    return value;
}

MPIX_Harmonize_statistics statistics_of(MPI_Comm comm) {
    MPIX_Harmonize_statistics statistics;
    CHECK_EQ(MPI_SUCCESS, MPIX_Harmonize_get_statistics(comm, &statistics));
    return statistics;
}

/// `late` sleeps 5 ms first; nobody may leave before it has come. All processes share a host, and so this clock.
void check_one_meeting(MPI_Comm comm, int late) {
    if (rank_in(comm) == late) {
        pause_s(0.005);
    }
    double came = true_s();
    int flag = -1;
    CHECK_EQ(MPI_SUCCESS, MPIX_Harmonize(comm, &flag));
    const double left = true_s();
    CHECK(flag == 0 || flag == 1);
    MPI_Bcast(&came, 1, MPI_DOUBLE, late, comm);
    CHECK(left >= came);
}

} // namespace

TEST(a_process_that_comes_late_holds_all_others_of_its_communicator_and_no_one_else) {
    Owned half;
    MPI_Comm_split(MPI_COMM_WORLD, rank_in(MPI_COMM_WORLD) % 2, 0, &half.comm);
    Owned copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy.comm);
    const int size = size_of(MPI_COMM_WORLD);
    for (const int late : {0, size / 2, size - 1}) {
        check_one_meeting(MPI_COMM_WORLD, late);
        check_one_meeting(copy.comm, late);
        check_one_meeting(half.comm, late % size_of(half.comm));
    }
    check_one_meeting(MPI_COMM_SELF, 0);
}

TEST(a_part_of_the_world_harmonizes_without_the_rest) {
    // Rank 0 alone takes no part: what synchronised clocks on MPI_COMM_WORLD would wait for it for ever.
    Owned part;
    MPI_Comm_split(MPI_COMM_WORLD, rank_in(MPI_COMM_WORLD) == 0 ? MPI_UNDEFINED : 1, 0, &part.comm);
    for (int i = 0; i < 3 && part.comm != MPI_COMM_NULL; ++i) {
        check_one_meeting(part.comm, i % size_of(part.comm));
    }
}

TEST(overlapping_communicators_may_be_harmonized_in_any_order) {
    const int size = size_of(MPI_COMM_WORLD);
    const int rank = rank_in(MPI_COMM_WORLD);
    Owned low;
    Owned high;
    MPI_Comm_split(MPI_COMM_WORLD, rank <= size / 2 ? 1 : MPI_UNDEFINED, 0, &low.comm);
    MPI_Comm_split(MPI_COMM_WORLD, rank >= size / 2 ? 1 : MPI_UNDEFINED, 0, &high.comm);
    for (int i = 0; i < 4; ++i) {
        MPI_Comm order[] = {low.comm, high.comm};
        if (i % 2 == 1) {
            std::swap(order[0], order[1]);
        }
        for (MPI_Comm one : order) {
            if (one != MPI_COMM_NULL) {
                check_one_meeting(one, 0);
            }
        }
    }
}

TEST(most_calls_meet_their_deadline_and_their_slack_stays_below_its_cap) {
    Owned comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm.comm);
    const int calls = size_of(comm.comm) <= 2 ? 1000 : 5;
    int met = 0;
    for (int i = 0; i < calls; ++i) {
        int flag = 0;
        CHECK_EQ(MPI_SUCCESS, MPIX_Harmonize(comm.comm, &flag));
        met += flag;
    }
    const MPIX_Harmonize_statistics own = statistics_of(comm.comm);
    CHECK_EQ(static_cast<std::uint64_t>(calls), own.calls);
    CHECK_EQ(own.calls, static_cast<std::uint64_t>(met) + own.missed + own.overslept);
    CHECK(own.synchronisations >= 1);
    CHECK(own.synchronising_s > 0.0);
    CHECK(own.slack_s > 0.0);
    CHECK(own.slack_s <= own.largest_slack_s);
    CHECK(own.largest_slack_s <= 1e-3);
    if (size_of(comm.comm) <= 2) { // ranks that share a core cannot meet
        CHECK(met >= calls / 2);
    }
}

TEST(processes_with_clocks_seconds_apart_go_on_together) {
    if (many_ranks()) {
        return;
    }
    Owned comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm.comm);
    const Info skewed("clock", "skewed(base=monotonic,offset=2s,drift=20ppm,seed=3)");
    CHECK_EQ(MPI_SUCCESS, MPIX_Harmonize_set_info(comm.comm, skewed.info));
    std::vector<double> skews;
    const int calls = size_of(comm.comm) <= 2 ? 50 : 3;
    for (int i = 0; i < calls; ++i) {
        int flag = 0;
        CHECK_EQ(MPI_SUCCESS, MPIX_Harmonize(comm.comm, &flag));
        const double left = true_s();
        double last = left;
        double first = left;
        MPI_Allreduce(MPI_IN_PLACE, &flag, 1, MPI_INT, MPI_LAND, comm.comm);
        MPI_Allreduce(MPI_IN_PLACE, &last, 1, MPI_DOUBLE, MPI_MAX, comm.comm);
        MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_DOUBLE, MPI_MIN, comm.comm);
        if (flag != 0) {
            skews.push_back(last - first);
        }
    }
    if (size_of(comm.comm) > 2) {
        return; // that they come to an end is the claim there
    }
    CHECK(skews.size() >= 10);
    std::sort(skews.begin(), skews.end());
    CHECK(skews[skews.size() / 2] < 20e-6); // a barrier under such clocks could not know
}

TEST(the_global_time_is_one_time) {
    if (many_ranks()) {
        return;
    }
    Owned comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm.comm);
    CHECK(std::isnan(ictus_global_time(comm.comm)));
    CHECK(std::isnan(ictus_global_time(MPI_COMM_NULL)));
    CHECK(std::isnan(ictus_global_time_bound(comm.comm)));
    const Info ictus("clocksync", "ictus(span=5ms)");
    CHECK_EQ(MPI_SUCCESS, MPIX_Harmonize_set_info(comm.comm, ictus.info));
    CHECK(std::isnan(ictus_global_time(comm.comm)));
    int flag = 0;
    CHECK_EQ(MPI_SUCCESS, MPIX_Harmonize(comm.comm, &flag));
    CHECK(ictus_global_time_bound(comm.comm) >= 0.0);
    double earlier = ictus_global_time(comm.comm);
    for (int sender = 0; sender < size_of(comm.comm); ++sender) { // nobody hears before it was said
        earlier = ictus_global_time(comm.comm);
        MPI_Bcast(&earlier, 1, MPI_DOUBLE, sender, comm.comm);
        CHECK(ictus_global_time(comm.comm) > earlier - 1e-3);
    }
}

TEST(a_duplicate_starts_with_nothing_of_the_original) {
    if (many_ranks()) {
        return;
    }
    Owned first;
    MPI_Comm_dup(MPI_COMM_WORLD, &first.comm);
    const Info longer("cap", "5ms");
    CHECK_EQ(MPI_SUCCESS, MPIX_Harmonize_set_info(first.comm, longer.info));
    int flag = 0;
    CHECK_EQ(MPI_SUCCESS, MPIX_Harmonize(first.comm, &flag));
    Owned second;
    MPI_Comm_dup(first.comm, &second.comm);
    CHECK_EQ(std::uint64_t{0}, statistics_of(second.comm).calls);
    CHECK_EQ(std::string("5ms"), constant(first.comm, "cap"));
    CHECK_EQ(std::string("1ms"), constant(second.comm, "cap"));
}

TEST(constants_come_from_info_before_environment_before_default) {
    if (many_ranks()) {
        return;
    }
    setenv("ICTUS_HARMONIZE_GROWTH", "3", 1);
    setenv("ICTUS_HARMONIZE_RUN", "7", 1);
    Owned comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm.comm);
    const Info growth("growth", "2");
    CHECK_EQ(MPI_SUCCESS, MPIX_Harmonize_set_info(comm.comm, growth.info));
    unsetenv("ICTUS_HARMONIZE_GROWTH");
    unsetenv("ICTUS_HARMONIZE_RUN");
    CHECK_EQ(std::string("2"), constant(comm.comm, "growth"));
    CHECK_EQ(std::string("7"), constant(comm.comm, "run"));
    CHECK_EQ(std::string("0.9"), constant(comm.comm, "shrink"));
    const Info shrink("shrink", "0.5"); // what is not named stays
    CHECK_EQ(MPI_SUCCESS, MPIX_Harmonize_set_info(comm.comm, shrink.info));
    CHECK_EQ(std::string("2"), constant(comm.comm, "growth"));
    CHECK_EQ(std::string("0.5"), constant(comm.comm, "shrink"));
    CHECK_EQ(MPI_SUCCESS, MPIX_Harmonize_set_info(comm.comm, MPI_INFO_NULL));
    CHECK_EQ(std::string("0.5"), constant(comm.comm, "shrink"));
    CHECK_EQ(std::string("hca3-offset("), constant(comm.comm, "clocksync").substr(0, 12));
}

TEST(hints_of_the_communicator_are_read_where_the_library_keeps_them) {
    if (many_ranks()) {
        return;
    }
    Owned comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm.comm);
    const Info run("run", "13");
    MPI_Comm_set_info(comm.comm, run.info);
    MPI_Info kept = MPI_INFO_NULL;
    MPI_Comm_get_info(comm.comm, &kept);
    char value[16] = {};
    int there = 0;
    MPI_Info_get(kept, "ictus_harmonize_run", 15, value, &there);
    MPI_Info_free(&kept);
    CHECK_EQ(std::string(there != 0 ? "13" : "10"), constant(comm.comm, "run"));
}

TEST(rank_0_decides_where_environments_differ) {
    if (many_ranks()) {
        return;
    }
    setenv("ICTUS_HARMONIZE_RUN", std::to_string(20 + rank_in(MPI_COMM_WORLD)).c_str(), 1);
    Owned comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm.comm);
    CHECK_EQ(std::string("20"), constant(comm.comm, "run"));
    unsetenv("ICTUS_HARMONIZE_RUN");
}
