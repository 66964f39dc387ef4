// The times at which one process left the barriers of one communicator, in bounded memory. At first every barrier is
// kept. Whenever the memory is full, every second entry is dropped, and from then on half as many barriers are kept.
// All processes of the communicator keep the same barriers, for they count the same ones.
#pragma once

#include "base/time.hpp"

#include <cstdint>
#include <vector>

namespace ictus {

class ExitLog {
public:
    /// Allocates and touches all memory. 0: nothing is kept.
    explicit ExitLog(std::uint64_t limit) : ticks_(limit), flags_(limit) {}

    /// Before barrier `barrier` (0, 1, ...) begins: does the slow work now, and not between the exit and the program's
    /// next step.
    void make_room(std::uint64_t barrier) {
        if (kept_ == ticks_.size() && kept_ > 0 && barrier % stride_ == 0) {
            thin();
        }
    }
    /// After the exit.
    void add(std::uint64_t barrier, Ticks at, SampleFlags flags) {
        if (kept_ < ticks_.size() && barrier % stride_ == 0) {
            ticks_[kept_] = at.count;
            flags_[kept_] = flags;
            ++kept_;
        }
    }
    /// Nothing more will be added: frees unused memory.
    void close();

    /// How many exits there is memory for.
    [[nodiscard]] std::uint64_t room() const { return ticks_.size(); }
    [[nodiscard]] std::uint64_t kept() const { return kept_; }
    /// The exits are those of the barriers 0, stride, 2 stride, ...
    [[nodiscard]] std::uint64_t stride() const { return stride_; }
    [[nodiscard]] Ticks at(std::uint64_t index) const { return {ticks_[index]}; }
    [[nodiscard]] SampleFlags flags(std::uint64_t index) const { return flags_[index]; }

private:
    void thin();

    std::vector<std::int64_t> ticks_;
    std::vector<SampleFlags> flags_;
    std::uint64_t kept_ = 0;
    std::uint64_t stride_ = 1;
};

inline void ExitLog::close() {
    ticks_.resize(kept_);
    ticks_.shrink_to_fit();
    flags_.resize(kept_);
    flags_.shrink_to_fit();
}

inline void ExitLog::thin() {
    const std::uint64_t left = (kept_ + 1) / 2;
    for (std::uint64_t i = 0; i < left; ++i) {
        ticks_[i] = ticks_[2 * i];
        flags_[i] = flags_[2 * i];
    }
    kept_ = left;
    stride_ *= 2;
}

} // namespace ictus
