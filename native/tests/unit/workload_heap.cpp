// Freed memory that stays with the process: what a library takes in each call is taken from the system once.
#include "check.hpp"
#include "workload/heap.hpp"

#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ictus;

namespace {

long faults_so_far() {
    rusage usage{};
    CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
    return usage.ru_minflt;
}

/// Pages that are paid for when two blocks are taken, written and freed 50 times.
long faults_of(std::size_t bytes) {
    const long before = faults_so_far();
    for (int call = 0; call < 50; ++call) {
        void* volatile one = std::malloc(bytes);
        void* volatile two = std::malloc(bytes);
        std::memset(one, call, bytes);
        std::memset(two, call, bytes);
        std::free(two);
        std::free(one);
    }
    return faults_so_far() - before;
}

/// Whether it holds in a process of its own: what is set of the C library stays set.
template <class Question>
bool holds_apart(Question question) {
    const pid_t child = fork();
    if (child == 0) {
        _exit(question() ? 0 : 1);
    }
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

constexpr std::size_t temporary = 120 * 1024; ///< below the limit from which a block is mapped by itself

/// What a large block costs in each call after the first ones.
bool is_paid_each_time(std::size_t bytes) {
    (void)faults_of(bytes);
    return faults_of(bytes) > 50;
}

} // namespace

// An older glibc cannot be asked whether it keeps memory: then nothing is said, and it is kept all the same.
TEST(freed_memory_stays_with_the_process) {
    CHECK(holds_apart([] { return keep_freed_memory() != false && !is_paid_each_time(temporary); }));
    CHECK(holds_apart([] { return keep_freed_memory() != false && !is_paid_each_time(1 << 20); }));
}

TEST(who_sets_a_limit_keeps_it) {
    CHECK(holds_apart([] {
        mallopt(M_MMAP_THRESHOLD, 128 * 1024); // as the variables of the C library do
        return keep_freed_memory() != true && is_paid_each_time(1 << 20);
    }));
    CHECK(holds_apart([] {
        mallopt(M_TRIM_THRESHOLD, 64 * 1024);
        return keep_freed_memory() != true && is_paid_each_time(temporary);
    }));
}
