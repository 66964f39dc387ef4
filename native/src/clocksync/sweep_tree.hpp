// The tree over the leaders of all clock domains whose edges `ictus` measures, as one of them knows it: its neighbours,
// and walks from the leaves up and from the root down. The root is rank 0 of the transport.
#pragma once

#include "base/summary.hpp"
#include "clockmath/rounds.hpp"
#include "clocksync/domains.hpp"

#include <optional>
#include <vector>

namespace ictus::clocksync {

class SweepTree {
public:
    /// Called by leaders only; sends no message.
    SweepTree(Transport& transport, const Domains& domains, int arity);

    /// clockmath/rounds, tree_slots, with ranks of the transport.
    [[nodiscard]] const std::vector<std::optional<Meeting>>& slots() const { return slots_; }
    [[nodiscard]] int n_leaders() const { return n_leaders_; }
    [[nodiscard]] bool is_root() const { return !parent_; }

    // All of these are collective over the leaders.

    /// What `answer(parent's value)` made of the root's value on the way down; the root's is answer() of nothing.
    template <class T, class Answer>
    [[nodiscard]] T hand_down(Answer answer) const {
        T own = parent_ ? answer(std::optional<T>(receive_value<T>(transport_, *parent_))) : answer(std::optional<T>());
        for (const int child : children_) {
            send_value(transport_, child, own);
        }
        return own;
    }

    /// The root's value, on all.
    template <class T>
    [[nodiscard]] T from_root(T value) const {
        return hand_down<T>([&](const std::optional<T>& given) { return given.value_or(value); });
    }

    /// Combines all values at the root; the other ranks get those of the ranks below them.
    template <class T, class Combine>
    [[nodiscard]] T combined(T own, Combine combine) const {
        for (const int child : children_) {
            own = combine(own, receive_value<T>(transport_, child));
        }
        if (parent_) {
            send_value(transport_, *parent_, own);
        }
        return own;
    }

    /// The values of all at the root, of each any number; the other ranks get those of the ranks below them.
    [[nodiscard]] std::vector<double> gathered(std::vector<double> own) const;

    /// The largest of all ranks' values, on every rank; NaN if one of them is.
    [[nodiscard]] double largest(double value) const { return from_root(combined(value, larger_or_none)); }

private:
    Transport& transport_;
    std::vector<std::optional<Meeting>> slots_;
    std::optional<int> parent_;
    std::vector<int> children_;
    int n_leaders_;
};

} // namespace ictus::clocksync
