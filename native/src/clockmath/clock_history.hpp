// The global time of one rank over several synchronisations. Between two of them it is the straight line from the one
// measurement to the next (Doleschal et al. 2008 do this for traces); after the last it follows the last model. It has
// no jumps.
#pragma once

#include "clockmath/clock_model.hpp"
#include "clockmath/error_bound.hpp"

#include <vector>

namespace ictus {

class ClockHistory {
public:
    /// A synchronisation: `model` was exact at local time `at`, which must be later than all times before.
    void add(LocalTime at, const ClockModel& model, const ErrorBound& bound);
    /// A cheap one: at local time `at` the last model was found ahead by `residual` seconds; of `proven` only the
    /// values at its own time count. The drift stays, and so does its proof.
    void reanchor(LocalTime at, double residual, const ErrorBound& proven);

    /// The model in use now. At least one synchronisation must have been added, here and below.
    [[nodiscard]] const ClockModel& model() const { return last_; }
    [[nodiscard]] GlobalTime to_global(LocalTime local) const { return span(local).model.to_global(local); }
    /// NaN where nothing is proven.
    [[nodiscard]] double bound(LocalTime local) const;

private:
    /// The time from one synchronisation to the next.
    struct Span {
        LocalTime begin;
        LocalTime end; ///< infinite: the last
        ClockModel model;
        ErrorBound bound;
        double end_bound; ///< proven by the next synchronisation, at the end
    };
    [[nodiscard]] const Span& span(LocalTime local) const;

    std::vector<Span> spans_;
    ClockModel last_; ///< as learnt, not interpolated
};

} // namespace ictus
