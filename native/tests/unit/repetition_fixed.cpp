#include "check.hpp"
#include "workload/repetition.hpp"

using namespace ictus;

namespace {
std::unique_ptr<Repetition> make(const std::string& text) {
    return repetition::registry().make(bind(repetition::family(), parse_spec(text)));
}
} // namespace

TEST(fixed_takes_nrep_then_tops_up_what_was_invalid) {
    const auto fixed = make("fixed(100)");
    CHECK_EQ(std::uint64_t{100}, fixed->next_batch({0, 0}));
    CHECK_EQ(std::uint64_t{0}, fixed->next_batch({100, 100}));
    CHECK_EQ(std::uint64_t{7}, fixed->next_batch({100, 93}));
}

TEST(fixed_gives_up_after_three_times_nrep) {
    const auto fixed = make("fixed(100)");
    CHECK_EQ(std::uint64_t{100}, fixed->next_batch({200, 0}));
    CHECK_EQ(std::uint64_t{0}, fixed->next_batch({300, 0}));
    CHECK_EQ(std::uint64_t{5}, make("fixed(100,max_attempts=105)")->next_batch({100, 10}));
    CHECK_THROWS(make("fixed(100,max_attempts=99)"), "must not be below nrep");
}
