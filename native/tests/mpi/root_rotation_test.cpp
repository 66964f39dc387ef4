// A rotating root: the operations of a case exist when they are needed, and no more of them than that.
#include "check.hpp"
#include "check_mpi.hpp"
#include "workload/operation/operation.hpp"

#include <vector>

using namespace ictus;

namespace {

int alive = 0;
int most_alive = 0;

/// Counts itself, and remembers its turn and how often it was filled.
class Counted final : public Operation {
public:
    explicit Counted(std::size_t turn) : turn_(turn) { most_alive = std::max(most_alive, ++alive); }
    ~Counted() override { --alive; }
    BoundCall bind() override { return BoundCall(); }
    void fill(std::uint64_t) override { ++filled_; }
    [[nodiscard]] std::optional<Mismatch> check(std::uint64_t) const override { return std::nullopt; }

    [[nodiscard]] std::size_t turn() const { return turn_; }
    [[nodiscard]] int filled() const { return filled_; }

private:
    std::size_t turn_;
    int filled_ = 0;
};

/// The turns in which operations were made while `repetitions` went by.
std::vector<std::size_t> made_in(std::size_t size, std::size_t most, std::uint64_t repetitions) {
    std::vector<std::size_t> made;
    most_alive = 0;
    const RootRotation rotation(size, most, [&](std::size_t turn) {
        made.push_back(turn);
        return std::make_unique<Counted>(turn);
    });
    for (std::uint64_t i = 0; i < repetitions; ++i) {
        const auto& operation = dynamic_cast<const Counted&>(rotation.of(i));
        CHECK_EQ(i % size, operation.turn());
        CHECK_EQ(1, operation.filled());
    }
    return made;
}

} // namespace

TEST(operations_are_made_once_where_all_may_exist) {
    CHECK(made_in(3, 64, 8) == (std::vector<std::size_t>{0, 1, 2}));
    CHECK_EQ(3, most_alive);
    CHECK(made_in(1, 64, 4) == (std::vector<std::size_t>{0}));
    CHECK_EQ(0, alive);
}

TEST(of_many_roots_a_few_operations_exist_and_each_repetition_has_its_own_root) {
    CHECK(made_in(5, 2, 7) == (std::vector<std::size_t>{0, 1, 2, 3, 4, 0, 1}));
    CHECK_EQ(2, most_alive);
    CHECK_EQ(100'000U, made_in(100'000, 64, 100'000).size());
    CHECK_EQ(64, most_alive);
}
