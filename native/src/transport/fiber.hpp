// Cooperative fibers: each runs until it must wait; then the next one that can run does. One thread, no locks, always
// the same order.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace ictus {

class FiberScheduler {
public:
    FiberScheduler();
    ~FiberScheduler();
    FiberScheduler(const FiberScheduler&) = delete;
    FiberScheduler& operator=(const FiberScheduler&) = delete;

    /// Fibers are numbered as they are added, from 0.
    void add(std::function<void()> body);
    /// Runs all fibers to their end and removes them. Rethrows the first error of one. When no fiber can go on, a
    /// measurement Error names which rank waits for which.
    void run();
    /// Called by a fiber that cannot go on: the others run until one of them resumes it on behalf of `rank`.
    void wait_for(int rank);
    /// The fiber of this number goes on when its turn comes, if it waits for `rank`.
    void resume(int fiber, int rank);

private:
    struct Fiber;
    static void enter(unsigned high, unsigned low);
    static void change_context(Fiber& from, Fiber& to);
    void switch_to(Fiber& fiber);
    [[noreturn]] void fail_deadlocked() const;

    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::deque<Fiber*> turns_; ///< of those that can go on: a pass over all would cost p steps for each message
    std::unique_ptr<Fiber> caller_;
    Fiber* running_ = nullptr;           ///< null while the caller of run() runs
    const void* caller_stack_ = nullptr; ///< where the caller's stack is, for the address sanitizer
    std::size_t caller_stack_bytes_ = 0;
};

} // namespace ictus
