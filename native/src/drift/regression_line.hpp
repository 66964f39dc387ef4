// From measured offsets to a model: when they are measured, the line through them, and a fresh offset that replaces the
// line's own intercept. Shared by the drift model `regression`, which learns pair by pair, and by `jk`, whose root
// visits all ranks once per point.
#pragma once

#include "drift/drift.hpp"

#include <vector>

namespace ictus::drift {

[[nodiscard]] constexpr Parameter fitpoints_parameter(std::string_view default_value) {
    return {.name = "fitpoints",
            .type = Parameter::Type::count,
            .default_value = default_value,
            .help = "offsets to measure",
            .minimum = 2,
            .maximum = 1e6};
}

[[nodiscard]] constexpr Parameter span_parameter(std::string_view default_value) {
    return {.name = "span",
            .type = Parameter::Type::duration,
            .default_value = default_value,
            .help = "time over which they are spread; 0: back to back, as in the papers",
            .minimum = 0,
            .maximum = 3600};
}

[[nodiscard]] constexpr Parameter reanchor_parameter(std::string_view default_value) {
    return {.name = "reanchor",
            .type = Parameter::Type::flag,
            .default_value = default_value,
            .help = "replace the fitted intercept by a fresh offset"};
}

[[nodiscard]] constexpr Parameter slope_test_parameter(std::string_view default_value) {
    return {.name = "slope_test",
            .type = Parameter::Type::flag,
            .default_value = default_value,
            .help = "take a slope smaller than its standard error as 0"};
}

/// What the four parameters above say.
struct RegressionRule {
    explicit RegressionRule(const Bound& bound);
    /// Waits until point i is due. The span begins at `first`, when point 0 had been measured.
    void keep_pace(Transport& transport, std::uint64_t i, LocalTime first) const;

    std::uint64_t fitpoints;
    double span_s;
    bool reanchor;
    bool slope_test;
};

/// Points, and the least-squares line through them.
class RegressionLine {
public:
    void add(const OffsetSample& sample);
    /// At least two points. Nothing is proven of a fitted line.
    [[nodiscard]] LearnedModel learned(bool slope_test) const;

private:
    std::vector<double> at_; ///< local times, seconds
    std::vector<double> offsets_;
};

/// The standard error of an offset of which only the bound is known: that of an error which is uniform within the
/// bound. Rather too large than too small, for errors near the bound are rare.
[[nodiscard]] double offset_error(const OffsetSample& sample);

/// The same slope through a fresh offset: intercept = offset - slope * time.
[[nodiscard]] LearnedModel anchored(const LearnedModel& learned, const OffsetSample& fresh);

} // namespace ictus::drift
