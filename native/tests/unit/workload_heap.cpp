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

void free_a_large_block() {
    void* volatile block = std::malloc(8 << 20);
    std::free(block);
}

/// Whether a block of each size is paid for as expected, in a process that was brought into a state.
bool pays(Heap heap, bool small, bool large) {
    set_heap(heap);
    return is_paid_each_time(temporary) == small && is_paid_each_time(1 << 20) == large;
}

} // namespace

// An older glibc cannot be asked whether it keeps memory: then nothing is said, and it is kept all the same.
TEST(freed_memory_stays_with_the_process) {
    CHECK(holds_apart([] { return pays(Heap::kept, false, false) && keeps_freed_memory() != false; }));
}

TEST(large_blocks_are_returned_at_each_free) {
    CHECK(holds_apart([] { return pays(Heap::returned, true, true) && keeps_freed_memory() != true; }));
    CHECK(holds_apart([] { // also after one was freed, which raises the limits of an ordinary heap
        set_heap(Heap::returned);
        free_a_large_block();
        return is_paid_each_time(1 << 20);
    }));
}

TEST(an_ordinary_heap_changes_with_what_is_freed) {
    CHECK(holds_apart([] {
        set_heap(Heap::ordinary);
        const bool paid = is_paid_each_time(temporary);
        free_a_large_block();
        return paid && !is_paid_each_time(1 << 20);
    }));
    CHECK(holds_apart([] { // it cannot be asked without a change, and is not
        set_heap(Heap::ordinary);
        return !keeps_freed_memory().has_value() && is_paid_each_time(temporary);
    }));
}

TEST(who_sets_a_limit_keeps_it) {
    CHECK(holds_apart([] {
        mallopt(M_MMAP_THRESHOLD, 128 * 1024); // as the variables of the C library do
        set_heap(Heap::kept);
        return keeps_freed_memory() != true && is_paid_each_time(1 << 20);
    }));
    CHECK(holds_apart([] {
        mallopt(M_TRIM_THRESHOLD, 64 * 1024);
        set_heap(Heap::kept);
        return keeps_freed_memory() != true && is_paid_each_time(temporary);
    }));
    CHECK(holds_apart([] { // a variable of the C library, which has read it
        setenv("MALLOC_MMAP_THRESHOLD_", "1073741824", 1);
        mallopt(M_MMAP_THRESHOLD, 1 << 25);
        setenv("GLIBC_TUNABLES", "glibc.malloc.trim_threshold=1073741824", 1);
        mallopt(M_TRIM_THRESHOLD, 1 << 30);
        return pays(Heap::returned, false, false) && keeps_freed_memory() != false;
    }));
}

TEST(a_state_has_a_name) {
    CHECK(parse_heap("kept") == Heap::kept && parse_heap("returned") == Heap::returned);
    CHECK(parse_heap("ordinary") == Heap::ordinary);
    CHECK_THROWS(parse_heap("mine"), "'mine' is unknown; known: kept, returned, ordinary");
}
