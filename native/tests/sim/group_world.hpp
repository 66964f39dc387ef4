// A simulated world in which a group synchronises, with what every rank learnt and with the truth about it.
#pragma once

#include "clocksync/clocksync.hpp"
#include "transport/simulated_world.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace simulation {

class GroupWorld {
public:
    GroupWorld(const ictus::SimulatedSettings& settings, const std::string& algorithm)
        : world_(settings), outcomes_(static_cast<std::size_t>(settings.size)) {
        const auto bound = ictus::bind(ictus::clocksync::family(), ictus::parse_spec(algorithm));
        world_.run([&](ictus::Transport& transport) {
            const auto clocksync = ictus::clocksync::registry().make(bound);
            outcomes_[static_cast<std::size_t>(transport.rank())] = clocksync->synchronise(transport);
            messages_ += transport.messages_sent();
        });
        for (int rank = 0; rank < settings.size; ++rank) {
            learnt_at_ = std::max(learnt_at_, world_.true_time(rank));
        }
    }

    [[nodiscard]] int size() const { return static_cast<int>(outcomes_.size()); }
    [[nodiscard]] const ictus::Synchronised& outcome(int rank) const {
        return outcomes_[static_cast<std::size_t>(rank)];
    }
    /// True time at which the last rank had its model.
    [[nodiscard]] double learnt_at() const { return learnt_at_; }
    [[nodiscard]] double busy_until(int rank) const { return world_.true_time(rank); }
    [[nodiscard]] std::uint64_t messages() const { return messages_; }

    /// Of a rank's clock without wander, as a function of itself: what the model should be.
    [[nodiscard]] ictus::ClockModel truth(int rank) {
        constexpr double later = 1000.0;
        const ictus::LocalTime begin = world_.clock_at(rank, 0.0);
        const ictus::GlobalTime root = world_.global_at(0.0);
        const double elapsed = world_.clock_at(rank, later) - begin;
        const double slope = 1.0 - (world_.global_at(later) - root) / elapsed;
        return ictus::model_through(begin, ictus::ClockOffset(begin.s - root.s), slope);
    }

    /// The rank's global time minus the root's clock, `wait` seconds after the last rank had learnt.
    [[nodiscard]] double error(int rank, double wait) {
        const double instant = learnt_at_ + wait;
        return outcome(rank).model.to_global(world_.clock_at(rank, instant)) - world_.global_at(instant);
    }
    [[nodiscard]] double largest_error(double wait) {
        double largest = 0.0;
        for (int rank = 0; rank < size(); ++rank) {
            largest = std::max(largest, std::abs(error(rank, wait)));
        }
        return largest;
    }
    /// The same when the rank says that its model was exact.
    [[nodiscard]] double error_when_exact(int rank) {
        const ictus::LocalTime local = outcome(rank).at;
        return truth(rank).offset_at(local) - outcome(rank).model.offset_at(local);
    }

private:
    ictus::SimulatedWorld world_;
    std::vector<ictus::Synchronised> outcomes_;
    double learnt_at_ = 0.0;
    std::uint64_t messages_ = 0;
};

} // namespace simulation
