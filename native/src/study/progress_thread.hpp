// A thread of our own that has the library make progress while its rank computes. MPI must have been initialised for
// several threads (MPI_THREAD_MULTIPLE).
//
// It probes for a message that nobody sends (MPI_Iprobe on a communicator of its own), for two threads must not test
// the same request. While it is paused it sleeps and costs nothing.
#pragma once

#include "mpi/handles.hpp"
#include "mpi/hosts.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>

namespace ictus {

// Where the threads of a host's ranks run: `same` (each on the CPU of its rank), `any`, or a list of CPUs, for its
// ranks in their order there.

/// Throws a usage Error for a list that has other words than CPUs, ...
void check_place(const std::string& place);
/// ... or fewer than the ranks of a host.
void check_place(const std::string& place, std::size_t n_host_ranks);

/// The CPU of this rank's thread, absent where it may run on any.
[[nodiscard]] std::optional<int> progress_cpu(const mpi::HostTopology& topology, const std::string& place);

class ProgressThread {
public:
    /// Paused. `cpu`: the only one that it may run on; absent: wherever the system has room. `pause_s`: it sleeps
    /// this long between two calls. Throws a measurement Error where it cannot be put there.
    ProgressThread(std::optional<int> cpu, double pause_s);
    ~ProgressThread();
    ProgressThread(const ProgressThread&) = delete;
    ProgressThread& operator=(const ProgressThread&) = delete;

    /// Both return once it is so.
    void resume();
    void pause();
    [[nodiscard]] std::uint64_t calls() const { return calls_.load(); }
    /// Where it may run now; -1 where it may run on several.
    [[nodiscard]] int cpu() const { return cpu_; }

private:
    enum State { paused, running, over };
    void run(double pause_s);
    void become(State state);

    mpi::Communicator comm_;
    std::atomic<int> target_{paused};
    std::atomic<int> state_{paused};
    std::atomic<std::uint64_t> calls_{0};
    int cpu_ = -1;
    std::thread thread_;
};

} // namespace ictus
