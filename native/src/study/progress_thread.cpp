#include "study/progress_thread.hpp"

#include "base/error.hpp"
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

} // namespace

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
