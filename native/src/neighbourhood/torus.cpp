#include "neighbourhood/torus.hpp"

#include "base/error.hpp"

#include <cstdint>

namespace ictus {
namespace {

/// Tries all factorisations into factors that do not grow; keeps the best in `best`.
class FactorSearch {
public:
    FactorSearch(int product, int n_factors) : factors_(static_cast<std::size_t>(n_factors), 1) {
        best_ = factors_;
        best_.front() = product;
        place(0, product, product);
    }

    [[nodiscard]] const std::vector<int>& best() const { return best_; }

private:
    void place(std::size_t at, int rest, int largest) {
        if (at + 1 == factors_.size()) {
            factors_[at] = rest;
            if (rest <= largest && better()) {
                best_ = factors_;
            }
            return;
        }
        for (int factor = rest < largest ? rest : largest; factor >= 1; --factor) {
            if (rest % factor == 0) {
                factors_[at] = factor;
                place(at + 1, rest / factor, factor);
            }
        }
    }

    [[nodiscard]] bool better() const {
        const int spread = factors_.front() - factors_.back();
        const int best_spread = best_.front() - best_.back();
        return spread < best_spread || (spread == best_spread && factors_ < best_);
    }

    std::vector<int> factors_;
    std::vector<int> best_;
};

} // namespace

std::vector<int> balanced_lengths(int n_ranks, int dimensions) { return FactorSearch(n_ranks, dimensions).best(); }

Torus::Torus(std::vector<int> lengths) : lengths_(std::move(lengths)) {
    std::int64_t size = 1;
    for (const int length : lengths_) {
        if (length < 1) {
            throw usage_error("a grid has a dimension of length " + std::to_string(length) + "; lengths begin at 1");
        }
        size *= length;
        if (size > INT32_MAX) {
            throw usage_error("a grid has more places than ranks can be numbered, " + std::to_string(INT32_MAX));
        }
    }
    size_ = static_cast<int>(size);
}

int Torus::moved(int rank, std::span<const int> offset, int direction) const {
    int moved = 0;
    int stride = 1;
    for (std::size_t k = lengths_.size(); k-- > 0;) {
        const std::int64_t length = lengths_[k];
        const std::int64_t at = rank % length + static_cast<std::int64_t>(direction) * offset[k];
        moved += static_cast<int>((at % length + length) % length) * stride;
        rank /= lengths_[k];
        stride *= lengths_[k];
    }
    return moved;
}

} // namespace ictus
