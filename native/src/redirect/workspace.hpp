// Memory for mock-ups beside the program's buffers: allocated once, reused by later calls, freed at the end. There are
// as many pieces as threads call at once, each as large as its largest call needed (ICTUS_REDIRECT_LIMIT bounds that).
#pragma once

#include "mockup/algorithm.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace ictus::redirect {

/// The memory of one call at a time.
class Workspace {
public:
    /// Grows where it must; throws std::bad_alloc where it cannot.
    [[nodiscard]] mockup::Scratch prepare(const mockup::ScratchDemand& needs);
    /// Bytes of the caller's own besides.
    [[nodiscard]] std::byte* staging(std::size_t n_bytes) { return memory_[4].room(n_bytes, false); }
    [[nodiscard]] std::byte* second_staging(std::size_t n_bytes) { return memory_[5].room(n_bytes, false); }
    [[nodiscard]] std::uint64_t n_bytes() const;

private:
    class Memory {
    public:
        std::byte* room(std::size_t n_bytes, bool is_zeroed);
        [[nodiscard]] std::size_t n_bytes() const { return n_bytes_; }

    private:
        struct FreeMemory {
            void operator()(std::byte* memory) const { std::free(memory); }
        };
        std::unique_ptr<std::byte, FreeMemory> data_;
        std::size_t n_bytes_ = 0;
    };

    std::array<Memory, 6> memory_;
    std::vector<int> ints_;
};

class Workspaces {
public:
    Workspaces() = default;
    ~Workspaces() { delete last_.load(std::memory_order_acquire); }
    Workspaces(const Workspaces&) = delete;
    Workspaces& operator=(const Workspaces&) = delete;

    /// One piece of memory, returned by the destructor.
    class Lease {
    public:
        explicit Lease(Workspaces& owner) : owner_(owner), own_(owner.take()) {}
        ~Lease() { owner_.give_back(std::move(own_)); }
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        Workspace* operator->() const { return own_.get(); }
        Workspace& operator*() const { return *own_; }

    private:
        Workspaces& owner_;
        std::unique_ptr<Workspace> own_;
    };

    /// Of all that are not in use.
    [[nodiscard]] std::uint64_t n_bytes();

private:
    [[nodiscard]] std::unique_ptr<Workspace> take();
    void give_back(std::unique_ptr<Workspace> one) noexcept;

    /// The piece that was returned last: a program that calls from one thread at a time never waits for it.
    std::atomic<Workspace*> last_ = nullptr;
    std::mutex turn_;
    std::vector<std::unique_ptr<Workspace>> idle_;
};

} // namespace ictus::redirect
