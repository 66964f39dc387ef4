#include "clockmath/rounds.hpp"

namespace ictus {

int floor_power_of_two(int n) {
    int power = 1;
    while (power <= n / 2) {
        power *= 2;
    }
    return power;
}

int ceil_log2(int n) {
    int rounds = 0;
    for (int reach = 1; reach<n; reach = reach> n / 2 ? n : 2 * reach) {
        ++rounds;
    }
    return rounds;
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

} // namespace ictus
