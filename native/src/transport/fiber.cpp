// A fiber jumps from one stack to another, which glibc's checks of longjmp take for a corrupted stack: the simulation
// would abort on distributions that fortify every program (Ubuntu, Fedora). Only this file is exempt.
#undef _FORTIFY_SOURCE

#include "transport/fiber.hpp"

#include "base/error.hpp"

#include <csetjmp>
#include <cstdint>
#include <exception>
#include <string>
#include <ucontext.h>

// Every change of stack is announced to the address sanitizer, or it takes a fiber's stack for an overflow.
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace ictus {
namespace {

constexpr std::size_t stack_bytes =
    std::size_t{256} * 1024; // ample for the algorithms, small enough for a thousand ranks

#if defined(__SANITIZE_ADDRESS__)
void start_switch(void** own_fake_stack, const void* bottom, std::size_t bytes) {
    __sanitizer_start_switch_fiber(own_fake_stack, bottom, bytes);
}
void finish_switch(void* own_fake_stack, const void** bottom, std::size_t* bytes) {
    __sanitizer_finish_switch_fiber(own_fake_stack, bottom, bytes);
}
#else
void start_switch(void**, const void*, std::size_t) {}
void finish_switch(void*, const void**, std::size_t*) {}
#endif

} // namespace

struct FiberScheduler::Fiber {
    std::function<void()> body;
    ucontext_t context{};
    std::jmp_buf resume_point; ///< where it goes on
    bool entered = false;      ///< `resume_point` holds; before that `context` is where it begins
    std::unique_ptr<char[]> stack;
    const std::function<bool()>* ready = nullptr; ///< null: can go on
    int waits_for = -1;
    std::exception_ptr error;
    bool finished = false;
    void* sanitizer_stack = nullptr;
};

FiberScheduler::FiberScheduler() : caller_(std::make_unique<Fiber>()) {}
FiberScheduler::~FiberScheduler() = default;

void FiberScheduler::add(std::function<void()> body) {
    auto fiber = std::make_unique<Fiber>();
    fiber->body = std::move(body);
    fiber->stack = std::make_unique_for_overwrite<char[]>(stack_bytes);
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = fiber->stack.get();
    fiber->context.uc_stack.ss_size = stack_bytes;
    fiber->context.uc_link = nullptr;
    // makecontext passes ints only, so the scheduler's address travels in two halves.
    const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(this));
    makecontext(&fiber->context, reinterpret_cast<void (*)()>(&FiberScheduler::enter), 2,
                static_cast<unsigned>(address >> 32), static_cast<unsigned>(address));
    fibers_.push_back(std::move(fiber));
}

void FiberScheduler::enter(unsigned high, unsigned low) {
    const auto address = (static_cast<std::uint64_t>(high) << 32) | low;
    auto& self = *reinterpret_cast<FiberScheduler*>(static_cast<std::uintptr_t>(address));
    finish_switch(nullptr, &self.caller_stack_, &self.caller_stack_bytes_);
    Fiber& fiber = *self.running_;
    try {
        fiber.body();
    } catch (...) {
        fiber.error = std::current_exception();
    }
    fiber.finished = true;
    self.switch_to(*self.caller_);
}

/// swapcontext alone would do, but makes two system calls each time to keep a signal mask that never changes: three
/// quarters of the time of a simulation. The address sanitizer follows only swapcontext.
void FiberScheduler::change_context(Fiber& from, Fiber& to) {
#if defined(__SANITIZE_ADDRESS__)
    swapcontext(&from.context, &to.context);
#else
    from.entered = true;
    if (_setjmp(from.resume_point) == 0) {
        if (to.entered) {
            _longjmp(to.resume_point, 1);
        }
        setcontext(&to.context);
    }
#endif
}

void FiberScheduler::switch_to(Fiber& fiber) {
    Fiber& from = running_ == nullptr ? *caller_ : *running_;
    const bool to_caller = &fiber == caller_.get();
    running_ = to_caller ? nullptr : &fiber;
    // A finished fiber passes no address for its fake stack, which frees it.
    start_switch(from.finished ? nullptr : &from.sanitizer_stack, to_caller ? caller_stack_ : fiber.stack.get(),
                 to_caller ? caller_stack_bytes_ : stack_bytes);
    change_context(from, fiber);
    if (running_ == nullptr) {
        finish_switch(from.sanitizer_stack, nullptr, nullptr);
    } else {
        finish_switch(from.sanitizer_stack, &caller_stack_, &caller_stack_bytes_);
    }
}

void FiberScheduler::wait_for(const std::function<bool()>& ready, int rank) {
    if (ready()) {
        return;
    }
    Fiber& self = *running_;
    self.ready = &ready;
    self.waits_for = rank;
    switch_to(*caller_);
    self.ready = nullptr;
}

void FiberScheduler::run() {
    std::exception_ptr error;
    std::size_t finished = 0;
    while (finished < fibers_.size() && !error) {
        bool progressed = false;
        for (auto& fiber : fibers_) {
            if (fiber->finished || (fiber->ready != nullptr && !(*fiber->ready)())) {
                continue;
            }
            progressed = true;
            switch_to(*fiber);
            if (fiber->finished) {
                ++finished;
            }
            if (fiber->error && !error) {
                error = fiber->error;
            }
        }
        if (!progressed) {
            fail_deadlocked();
        }
    }
    fibers_.clear();
    if (error) {
        std::rethrow_exception(error);
    }
}

void FiberScheduler::fail_deadlocked() const {
    std::string who;
    for (std::size_t i = 0; i < fibers_.size(); ++i) {
        if (!fibers_[i]->finished) {
            who += " rank " + std::to_string(i) + " for rank " + std::to_string(fibers_[i]->waits_for) + ";";
        }
    }
    throw measurement_error("every rank waits:" + who);
}

} // namespace ictus
