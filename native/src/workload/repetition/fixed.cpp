// `fixed`: until there are nrep valid samples; invalid ones are topped up, within max_attempts.
#include "workload/repetition/repetition.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace ictus {
namespace {

constexpr Parameter fixed_parameters[] = {
    {.name = "nrep",
     .type = Parameter::Type::count,
     .default_value = "1000",
     .help = "valid samples wanted",
     .minimum = 1,
     .maximum = 1e7},
    {.name = "max_attempts",
     .type = Parameter::Type::count,
     .default_value = "auto",
     .help = "samples taken at most, invalid ones included; auto: 3 nrep",
     .minimum = 1,
     .maximum = 3e7,
     .allows_auto = true},
};

class Fixed final : public Repetition {
public:
    explicit Fixed(const Bound& bound)
        : nrep_(bound.count("nrep")),
          max_attempts_(bound.is_auto("max_attempts") ? repetition::attempts_per_sample * nrep_
                                                      : bound.count("max_attempts")) {
        if (max_attempts_ < nrep_) {
            throw usage_error("repetition 'fixed', parameter 'max_attempts': it must not be below nrep");
        }
    }

    [[nodiscard]] std::uint64_t next_batch(const Standing& standing) const override {
        if (standing.valid >= nrep_ || standing.attempted >= max_attempts_) {
            return 0;
        }
        return std::min(nrep_ - standing.valid, max_attempts_ - standing.attempted);
    }

private:
    std::uint64_t nrep_;
    std::uint64_t max_attempts_;
};

} // namespace

namespace repetition {
extern const RepetitionMember fixed;
const RepetitionMember fixed = {
    {"fixed", "a fixed number of valid samples", "", fixed_parameters},
    [](const Bound& bound) -> std::unique_ptr<Repetition> { return std::make_unique<Fixed>(bound); }};
} // namespace repetition

} // namespace ictus
