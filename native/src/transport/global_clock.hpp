// The global time of one rank: its own clock, converted by its model. Each synchronisation replaces the model.
#pragma once

#include "clockmath/clock_model.hpp"
#include "transport/transport.hpp"

namespace ictus {

class GlobalClock {
public:
    explicit GlobalClock(Transport& transport) : transport_(transport) {}

    void set_model(const ClockModel& model) { model_ = model; }
    [[nodiscard]] const ClockModel& model() const { return model_; }

    [[nodiscard]] GlobalTime now() { return to_global(transport_.now()); }
    [[nodiscard]] GlobalTime to_global(LocalTime local) const { return model_.to_global(local); }
    void wait_until(GlobalTime instant) { transport_.wait_until(model_.to_local(instant)); }

private:
    Transport& transport_;
    ClockModel model_;
};

} // namespace ictus
