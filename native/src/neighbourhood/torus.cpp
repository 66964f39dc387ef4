// Tori, their balanced lengths, and the members of family `torus`.
#include "neighbourhood/torus.hpp"

#include "base/error.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace ictus {
namespace {

/// Tries all factorisations into factors that do not grow; keeps the best in `best`.
class FactorSearch {
public:
    FactorSearch(int product, int n_factors) : factors_(static_cast<std::size_t>(n_factors), 1) {
        best_ = factors_;
        best_.front() = product;
        fill(0, product, product);
    }

    [[nodiscard]] const std::vector<int>& best() const { return best_; }

private:
    void fill(std::size_t at, int rest, int largest) {
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
                fill(at + 1, rest / factor, factor);
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

Torus::Torus(std::vector<int> lengths) : Torus(std::move(lengths), {}) {}

Torus::Torus(std::vector<int> lengths, std::vector<bool> periodic)
    : lengths_(std::move(lengths)), periodic_(std::move(periodic)) {
    periodic_.resize(lengths_.size(), true);
    std::int64_t size = 1;
    for (const int length : lengths_) {
        if (length < 1) {
            throw usage_error("a grid has a dimension of length " + std::to_string(length) + "; lengths begin at 1");
        }
        size *= length;
        if (size > INT32_MAX) {
            throw usage_error("a grid has more places than there can be ranks, " + std::to_string(INT32_MAX));
        }
    }
}

int Torus::moved(int rank, std::span<const int> offset, int direction) const {
    int moved = 0;
    int stride = 1;
    for (std::size_t k = lengths_.size(); k-- > 0;) {
        const std::int64_t length = lengths_[k];
        const std::int64_t at = rank % length + static_cast<std::int64_t>(direction) * offset[k];
        if (!periodic_[k] && (at < 0 || at >= length)) {
            return outside;
        }
        moved += static_cast<int>((at % length + length) % length) * stride;
        rank /= lengths_[k];
        stride *= lengths_[k];
    }
    return moved;
}

namespace torus {
namespace {

// `balanced`: as square as the number of ranks lets it be, by our own factorisation: MPI_Dims_create's is far from
// balanced in some libraries (Traeff and Luebbe 2015).
constexpr Parameter balanced_parameters[] = {
    {.name = "dimensions",
     .type = Parameter::Type::count,
     .default_value = "2",
     .help = "their number",
     .minimum = 1,
     .maximum = 6},
};

// `lengths`: as given, `lengths(4,2)`.
constexpr Parameter lengths_parameters[] = {
    {.name = "lengths",
     .type = Parameter::Type::list,
     .default_value = "1",
     .help = "ranks along each dimension; their product is the number of ranks"},
};

const TorusMember balanced = {
    {"balanced", "as square as the number of ranks allows, the longest dimension first", "", balanced_parameters},
    [](const Bound& bound, int n_ranks) {
        return std::make_unique<Torus>(balanced_lengths(n_ranks, static_cast<int>(bound.count("dimensions"))));
    }};

} // namespace

std::vector<int> given_lengths(const std::vector<Spec>& values, int n_ranks, const std::string& what) {
    std::vector<int> lengths;
    std::uint64_t product = 1;
    std::string text;
    for (const Spec& value : values) {
        const std::uint64_t length = parse_count(to_string(value), what);
        text += (text.empty() ? "" : " x ") + std::to_string(length);
        product = length > static_cast<std::uint64_t>(n_ranks) ? 0 : product * length;
        lengths.push_back(static_cast<int>(length));
    }
    if (product != static_cast<std::uint64_t>(n_ranks)) {
        throw usage_error(what + ": " + text + " places are not the " + std::to_string(n_ranks) +
                          " ranks; the product of the lengths must be their number");
    }
    return lengths;
}

const TorusMember lengths = {
    {"lengths", "as long in each dimension as given", "", lengths_parameters}, [](const Bound& bound, int n_ranks) {
        return std::make_unique<Torus>(given_lengths(bound.list("lengths"), n_ranks, "torus 'lengths'"));
    }};

const Registry<Torus, int>& registry() {
    static const Registry<Torus, int> all{
        "torus", "the grid without borders on which a sparse exchange places the ranks", {&balanced, &lengths}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace torus

} // namespace ictus
