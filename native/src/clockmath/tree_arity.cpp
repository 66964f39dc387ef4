#include "clockmath/tree_arity.hpp"

#include <algorithm>
#include <limits>

namespace ictus {

int tree_depth(int size, int arity) {
    int depth = 0;
    for (int below = size - 1; below > 0; ++depth) {
        const int largest_part = (below + arity - 1) / arity;
        below = largest_part - 1;
    }
    return depth;
}

double SweepPlan::duration_s(int arity, int depth) const {
    const double bursts = arity + (depth > 1 ? 1 : 0);
    return std::max(span_s, bursts * static_cast<double>(sweeps) * static_cast<double>(exchanges) * exchange_s);
}

namespace {

/// The smallest arity of a tree of at most that depth.
int smallest_arity(int size, int depth) {
    int too_small = 0;
    int enough = std::max(size - 1, 1);
    while (enough - too_small > 1) {
        const int middle = too_small + (enough - too_small) / 2;
        (tree_depth(size, middle) <= depth ? enough : too_small) = middle;
    }
    return enough;
}

} // namespace

int best_arity(int size, const SweepPlan& plan) {
    int best = 1;
    double least = std::numeric_limits<double>::infinity();
    for (int depth = tree_depth(size, 2); depth >= 1; --depth) { // the deepest first: it has the smallest arity
        const int arity = smallest_arity(size, depth);
        const double product = depth * plan.duration_s(arity, depth);
        if (product < least) {
            least = product;
            best = arity;
        }
    }
    return best;
}

} // namespace ictus
