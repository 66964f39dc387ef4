#include "redirect/workspace.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace ictus::redirect {
namespace {

constexpr std::size_t line_bytes = 64;  // of a cache
constexpr std::size_t most_idle = 1024; // threads that call at once

} // namespace

std::byte* Workspace::Memory::room(std::size_t n_bytes, bool is_zeroed) {
    if (n_bytes > n_bytes_ || data_ == nullptr) {
        const std::size_t whole = (n_bytes / line_bytes + 1) * line_bytes;
        data_.reset(); // before the larger one is had
        n_bytes_ = 0;
        data_.reset(static_cast<std::byte*>(std::aligned_alloc(line_bytes, whole)));
        if (data_ == nullptr) {
            throw std::bad_alloc();
        }
        n_bytes_ = whole;
        if (is_zeroed) {
            std::memset(data_.get(), 0, whole);
        }
    }
    return data_.get();
}

mockup::Scratch Workspace::prepare(const mockup::ScratchDemand& needs) {
    mockup::Scratch scratch;
    scratch.first = needs.first.in(memory_[0].room(needs.first.n_bytes(), false));
    scratch.second = needs.second.in(memory_[1].room(needs.second.n_bytes(), false));
    scratch.zeroed = memory_[2].room(needs.zeroed_bytes, true);
    scratch.packed = memory_[3].room(needs.packed_bytes, false);
    if (ints_.size() < static_cast<std::size_t>(needs.n_ints)) {
        ints_.resize(static_cast<std::size_t>(needs.n_ints));
    }
    scratch.ints = ints_.data();
    return scratch;
}

std::uint64_t Workspace::n_bytes() const {
    std::uint64_t sum = 0;
    for (const Memory& one : memory_) {
        sum += one.n_bytes();
    }
    return sum;
}

std::uint64_t Workspaces::n_bytes() {
    const std::scoped_lock turn(turn_);
    const Workspace* const last = last_.load(std::memory_order_acquire);
    std::uint64_t sum = last == nullptr ? 0 : last->n_bytes();
    for (const auto& one : idle_) {
        sum += one->n_bytes();
    }
    return sum;
}

std::unique_ptr<Workspace> Workspaces::take() {
    if (Workspace* const last = last_.exchange(nullptr, std::memory_order_acquire)) {
        return std::unique_ptr<Workspace>(last);
    }
    const std::scoped_lock turn(turn_);
    if (idle_.empty()) {
        idle_.reserve(most_idle); // giving back must not fail
        return std::make_unique<Workspace>();
    }
    auto one = std::move(idle_.back());
    idle_.pop_back();
    return one;
}

void Workspaces::give_back(std::unique_ptr<Workspace> one) noexcept {
    Workspace* none = nullptr;
    if (last_.compare_exchange_strong(none, one.get(), std::memory_order_release, std::memory_order_relaxed)) {
        static_cast<void>(one.release());
        return;
    }
    const std::scoped_lock turn(turn_);
    if (one != nullptr && idle_.size() < most_idle) {
        idle_.push_back(std::move(one));
    }
}

} // namespace ictus::redirect
