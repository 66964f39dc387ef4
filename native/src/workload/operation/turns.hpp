// The operations of a case, which its repetitions take in turn: one, or where the root rotates one for each root.
#pragma once

#include "workload/operation/operation.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace ictus {

class Turns {
public:
    /// At least one; the same number on all ranks.
    explicit Turns(std::vector<std::unique_ptr<Operation>> operations) : operations_(std::move(operations)) {}

    [[nodiscard]] std::size_t size() const { return operations_.size(); }
    /// Whose turn it is in repetition 0, 1, 2, ...
    [[nodiscard]] Operation& of(std::uint64_t repetition) const { return *operations_[repetition % size()]; }

private:
    std::vector<std::unique_ptr<Operation>> operations_;
};

} // namespace ictus
