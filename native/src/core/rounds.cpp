#include "core/rounds.hpp"

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

std::vector<std::optional<Meeting>> rounds_from_root(int size, int rank) {
    const int power = floor_power_of_two(size);
    std::vector<std::optional<Meeting>> rounds;
    for (int stride = power / 2; stride >= 1; stride /= 2) {
        std::optional<Meeting> meeting;
        if (rank < power && rank % (2 * stride) == 0) {
            meeting = Meeting{rank + stride, Role::reference};
        }
        if (rank < power && rank % (2 * stride) == stride) {
            meeting = Meeting{rank - stride, Role::client};
        }
        rounds.push_back(meeting);
    }
    if (power == size) {
        return rounds;
    }
    std::optional<Meeting> last;
    if (rank >= power) {
        last = Meeting{rank - power, Role::client};
    }
    if (rank < size - power) {
        last = Meeting{rank + power, Role::reference};
    }
    rounds.push_back(last);
    return rounds;
}

} // namespace ictus
