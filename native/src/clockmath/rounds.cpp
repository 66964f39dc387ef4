#include "clockmath/rounds.hpp"

#include <algorithm>
#include <cstddef>

namespace ictus {

int floor_power_of_two(int n) {
    int power = 1;
    while (power <= n / 2) {
        power *= 2;
    }
    return power;
}

namespace {

/// In the round of this stride, among the first `power` ranks.
std::optional<Meeting> meeting_at(int stride, int power, int rank) {
    if (rank < power && rank % (2 * stride) == 0) {
        return Meeting{rank + stride, Role::reference};
    }
    if (rank < power && rank % (2 * stride) == stride) {
        return Meeting{rank - stride, Role::client};
    }
    return {};
}

/// In the round of the ranks from `power` on.
std::optional<Meeting> last_meeting(int size, int power, int rank) {
    if (rank >= power) {
        return Meeting{rank - power, Role::client};
    }
    if (rank < size - power) {
        return Meeting{rank + power, Role::reference};
    }
    return {};
}

} // namespace

std::vector<std::optional<Meeting>> rounds_from_root(int size, int rank) {
    const int power = floor_power_of_two(size);
    std::vector<std::optional<Meeting>> rounds;
    for (int stride = power / 2; stride >= 1; stride /= 2) {
        rounds.push_back(meeting_at(stride, power, rank));
    }
    if (power < size) {
        rounds.push_back(last_meeting(size, power, rank));
    }
    return rounds;
}

std::vector<std::optional<Meeting>> rounds_to_root(int size, int rank) {
    const int power = floor_power_of_two(size);
    std::vector<std::optional<Meeting>> rounds;
    for (int stride = 1; stride < power; stride *= 2) {
        rounds.push_back(meeting_at(stride, power, rank));
    }
    if (power < size) {
        rounds.push_back(last_meeting(size, power, rank));
    }
    return rounds;
}

namespace {

/// The ranks first..last-1, of which `first` is the root; its parent was met in `slot_taken` (-1: it has none).
struct Subtree {
    int first;
    int last;
    int parent;
    int slot_taken;
};

/// The parts below the root, as equal as can be, each with the slot in which the root serves it.
std::vector<Subtree> parts_of(const Subtree& tree, int arity) {
    std::vector<Subtree> parts;
    int next = tree.first + 1;
    int slot = 0;
    for (int i = 0; i < arity; ++i) {
        const int length = (tree.last - next + (arity - i - 1)) / (arity - i);
        if (length == 0) {
            break;
        }
        slot += slot == tree.slot_taken ? 1 : 0;
        parts.push_back({next, next + length, tree.first, slot++});
        next += length;
    }
    return parts;
}

} // namespace

std::vector<std::optional<Meeting>> tree_slots(int size, int rank, int arity) {
    Subtree tree{0, size, -1, -1};
    std::vector<Subtree> parts = parts_of(tree, arity);
    while (tree.first != rank) {
        tree = *std::find_if(parts.begin(), parts.end(),
                             [&](const Subtree& part) { return part.first <= rank && rank < part.last; });
        parts = parts_of(tree, arity);
    }
    std::vector<std::optional<Meeting>> slots(static_cast<std::size_t>(arity) + 1);
    if (tree.parent >= 0) {
        slots[static_cast<std::size_t>(tree.slot_taken)] = Meeting{tree.parent, Role::client};
    }
    for (const Subtree& part : parts) {
        slots[static_cast<std::size_t>(part.slot_taken)] = Meeting{part.first, Role::reference};
    }
    return slots;
}

} // namespace ictus
