// Cooperative fibers: each runs until it must wait; then the next one that can run does. One thread, no locks, always
// the same order.
#pragma once

#include <cstddef>
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

    void add(std::function<void()> body);
    /// Runs all fibers to their end and removes them. Rethrows the first error of one. When no fiber can go on, a
    /// measurement Error names which rank waits for which.
    void run();
    /// Called by a fiber: returns once `ready` holds, letting the others run meanwhile. `rank` is the one it waits for,
    /// for the error.
    void wait_for(const std::function<bool()>& ready, int rank);

private:
    struct Fiber;
    static void enter(unsigned high, unsigned low);
    static void change_context(Fiber& from, Fiber& to);
    void switch_to(Fiber& fiber);
    [[noreturn]] void fail_deadlocked() const;

    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::unique_ptr<Fiber> caller_;
    Fiber* running_ = nullptr;           ///< null while the caller of run() runs
    const void* caller_stack_ = nullptr; ///< where the caller's stack is, for the address sanitizer
    std::size_t caller_stack_bytes_ = 0;
};

} // namespace ictus
