#include "study/progress_thread.hpp"

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "base/spec.hpp"
#include "machine/cpu_set.hpp"
#include "mpi/handles.hpp"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <pthread.h>
#include <sched.h>
#include <string>
#include <unistd.h>

namespace ictus {
namespace {

/// All CPUs, or one of them: a thread inherits those of its rank, which is often a single core.
void put_on(pthread_t thread, std::optional<int> cpu) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    const long n_cpus = sysconf(_SC_NPROCESSORS_CONF);
    for (int one = cpu.value_or(0); one < (cpu ? *cpu + 1 : n_cpus) && one < CPU_SETSIZE; ++one) {
        CPU_SET(static_cast<unsigned>(one), &cpus);
    }
    if (const int code = pthread_setaffinity_np(thread, sizeof(cpus), &cpus); code != 0) {
        throw measurement_error("the progress thread cannot be put on " +
                                (cpu ? "CPU " + std::to_string(*cpu) : std::string("all CPUs")) + ": " +
                                std::strerror(code));
    }
}

std::vector<std::string> cpus_of(const std::string& place) {
    return place == "any" || place == "same" ? std::vector<std::string>() : split_list(place);
}

} // namespace

void check_place(const std::string& place) {
    for (const std::string& cpu : cpus_of(place)) {
        if (parse_count(cpu, "option 'progress-place'") > 4096) {
            throw usage_error("option 'progress-place': there is no CPU " + cpu);
        }
    }
}

void check_place(const std::string& place, std::size_t n_host_ranks) {
    const std::size_t n_cpus = cpus_of(place).size();
    if (n_cpus > 0 && n_cpus < n_host_ranks) {
        throw usage_error("option 'progress-place': '" + place + "' names CPUs for " + std::to_string(n_cpus) +
                          " of the " + std::to_string(n_host_ranks) +
                          " ranks of a host; name one for each, or any, or same");
    }
}

std::optional<int> progress_cpu(const mpi::HostTopology& topology, const std::string& place) {
    if (place == "any") {
        return std::nullopt;
    }
    return place == "same" ? machine::current_cpu().value_or(0)
                           : std::stoi(cpus_of(place).at(static_cast<std::size_t>(topology.host.rank())));
}

ProgressThread::ProgressThread(std::optional<int> cpu, double pause_s)
    : comm_(mpi::Communicator::duplicate(MPI_COMM_SELF)), cpu_(cpu.value_or(-1)),
      thread_([this, pause_s] { run(pause_s); }) {
    try {
        put_on(thread_.native_handle(), cpu);
    } catch (...) {
        become(over);
        thread_.join();
        throw;
    }
}

ProgressThread::~ProgressThread() {
    become(over);
    thread_.join();
}

void ProgressThread::resume() {
    become(running);
    state_.wait(paused);
}

void ProgressThread::pause() {
    become(paused);
    state_.wait(running);
}

void ProgressThread::become(State state) {
    target_.store(state);
    target_.notify_all();
}

void ProgressThread::run(double pause_s) {
    const auto whole = static_cast<std::time_t>(pause_s);
    const std::timespec between{whole, static_cast<long>((pause_s - static_cast<double>(whole)) * 1e9)};
    for (int target = target_.load(); target != over; target = target_.load()) {
        if (state_.exchange(target) != target) {
            state_.notify_all();
        }
        if (target == paused) {
            target_.wait(paused);
            continue;
        }
        int arrived = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_.handle(), &arrived, MPI_STATUS_IGNORE);
        calls_.fetch_add(1);
        if (pause_s > 0.0) {
            nanosleep(&between, nullptr);
        }
    }
}

} // namespace ictus
