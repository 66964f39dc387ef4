// A fiber jumps from one stack to another, which glibc's checks of longjmp take for a corrupted stack: the simulation
// would abort on distributions that fortify every program (Ubuntu, Fedora). Only this file is exempt.
#undef _FORTIFY_SOURCE

#include "transport/fiber.hpp"

#include "base/error.hpp"

#include <csetjmp>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <ucontext.h>

// Every change of stack is announced to the address sanitizer, or it takes a fiber's stack for an overflow.
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace ictus {
namespace {

constexpr std::size_t stack_bytes = std::size_t{256} * 1024; // ample for the algorithms

constexpr int nobody = -1;

/// Memory that the system commits page by page as it is touched: of most stacks two or three pages. Huge pages would
/// commit whole stacks. Neighbouring mappings are one to the system, whose number is limited.
class Stack {
public:
    Stack()
        : bottom_(
              mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
        if (bottom_ == MAP_FAILED) {
            throw measurement_error("there is not enough memory for the stacks of all simulated ranks; simulate fewer");
        }
        (void)madvise(bottom_, stack_bytes, MADV_NOHUGEPAGE); // a wish: not every kernel has huge pages
    }
    ~Stack() { munmap(bottom_, stack_bytes); }
    Stack(const Stack&) = delete;
    Stack& operator=(const Stack&) = delete;

    [[nodiscard]] void* bottom() const { return bottom_; }

private:
    void* bottom_;
};

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
    std::jmp_buf resume_point;  ///< where it goes on
    bool entered = false;       ///< `resume_point` holds; before that `context` is where it begins
    std::optional<Stack> stack; ///< the caller has its own
    int waits_for = nobody;
    std::exception_ptr error;
    bool finished = false;
    void* sanitizer_stack = nullptr;
};

FiberScheduler::FiberScheduler() : caller_(std::make_unique<Fiber>()) {}
FiberScheduler::~FiberScheduler() = default;

void FiberScheduler::add(std::function<void()> body) {
    auto fiber = std::make_unique<Fiber>();
    fiber->body = std::move(body);
    fiber->stack.emplace();
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = fiber->stack->bottom();
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
    start_switch(from.finished ? nullptr : &from.sanitizer_stack, to_caller ? caller_stack_ : fiber.stack->bottom(),
                 to_caller ? caller_stack_bytes_ : stack_bytes);
    change_context(from, fiber);
    if (running_ == nullptr) {
        finish_switch(from.sanitizer_stack, nullptr, nullptr);
    } else {
        finish_switch(from.sanitizer_stack, &caller_stack_, &caller_stack_bytes_);
    }
}

void FiberScheduler::wait_for(int rank) {
    running_->waits_for = rank;
    switch_to(*caller_);
}

void FiberScheduler::resume(int fiber, int rank) {
    Fiber& other = *fibers_[static_cast<std::size_t>(fiber)];
    if (other.waits_for == rank) {
        other.waits_for = nobody;
        turns_.push_back(&other);
    }
}

void FiberScheduler::run() {
    for (const auto& fiber : fibers_) {
        turns_.push_back(fiber.get());
    }
    std::size_t finished = 0;
    std::exception_ptr error;
    // After an error the others go on as far as they can: mostly they end in the same one, and leave nothing behind.
    for (; !turns_.empty(); turns_.pop_front()) {
        Fiber& fiber = *turns_.front();
        switch_to(fiber);
        finished += fiber.finished ? 1 : 0;
        error = error ? error : fiber.error;
    }
    if (!error && finished < fibers_.size()) {
        fail_deadlocked();
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
