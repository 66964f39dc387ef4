// `wtime`: MPI_Wtime, in nanoseconds. Its zero may differ in each process (Open MPI 4 counts from MPI_Init).
#pragma once

#include "clock/counter_clock.hpp"
#include "clock/step_watch.hpp"

#include <array>
#include <bit>
#include <mpi.h>
#include <optional>

namespace ictus {

class WtimeClock final : public CounterClock<WtimeClock> {
public:
    WtimeClock(const Bound&, const ClockContext& context)
        : CounterClock(context.yields), origin_s_(context.epoch ? *context.epoch / ns_a_second : whole_seconds()) {
        start_epoch({.epoch = origin_s_ * ns_a_second});
        watch_.emplace(*this);
    }

    /// Where it is the time of day.
    static constexpr bool can_be_set = true;
    void require_not_set() { watch_->require_no_step("a wait for an instant"); }

    /// The bits of the seconds: of the registers that a call preserves, none is for numbers with a fraction.
    using Reading = std::array<std::uint64_t, 1>;
    [[nodiscard]] static Reading look() { return {std::bit_cast<std::uint64_t>(MPI_Wtime())}; }
    /// The origin, a whole second, is subtracted while still a double: an absolute time in nanoseconds would lose
    /// digits on the way.
    [[nodiscard]] std::int64_t raw(const Reading& reading) const {
        return origin_s_ * ns_a_second +
               static_cast<std::int64_t>((std::bit_cast<double>(reading[0]) - static_cast<double>(origin_s_)) *
                                         static_cast<double>(ns_a_second));
    }

    [[nodiscard]] double frequency_hz() const override { return 1e9; }
    [[nodiscard]] std::string frequency_source() const override { return "defined"; }

private:
    static constexpr std::int64_t ns_a_second = 1'000'000'000;
    static std::int64_t whole_seconds() { return static_cast<std::int64_t>(MPI_Wtime()); }

    std::int64_t origin_s_;
    std::optional<StepWatch> watch_;
};

namespace clock {
inline const ClockMember wtime = {{"wtime", "MPI_Wtime, whichever clock the library reads for it", "", {}},
                                  [](const Bound& bound, const ClockContext& context) -> std::unique_ptr<Clock> {
                                      return std::make_unique<WtimeClock>(bound, context);
                                  }};
} // namespace clock

} // namespace ictus
