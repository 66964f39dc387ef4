#include "study/check_schedule.hpp"

#include "transport/control.hpp"

#include <algorithm>

namespace ictus {

void CheckSchedule::add(Trial& trial) {
    trial.checks.resize(plan_.waits_s.size());
    for (std::size_t wait = 0; !ranks_.empty() && wait < plan_.waits_s.size(); ++wait) {
        pending_.push_back({trial.ended_root_s + plan_.waits_s[wait], n_trials_, wait});
    }
    ++n_trials_;
}

void CheckSchedule::perform_due(std::vector<Trial>& trials) {
    const double now = control::broadcast_value(transport_, transport_.now().s);
    const auto is_due = [&](const Due& one) { return one.root_time_s <= now; };
    if (std::none_of(pending_.begin(), pending_.end(), is_due)) {
        return;
    }
    const CheckRounds rounds = check_by_ping_pong(transport_, ranks_, plan_.check);
    for (const Due& one : pending_) {
        if (is_due(one) && !rounds.empty()) {
            Trial& trial = trials[one.trial];
            trial.checks[one.wait] = smallest_error(rounds, trial.own.model, trial.root);
        }
    }
    std::erase_if(pending_, is_due);
}

void CheckSchedule::perform_all(std::vector<Trial>& trials) {
    while (!pending_.empty()) {
        const auto next = std::min_element(pending_.begin(), pending_.end(),
                                           [](const Due& a, const Due& b) { return a.root_time_s < b.root_time_s; });
        if (transport_.rank() == 0) {
            transport_.wait_until({next->root_time_s});
        }
        perform_due(trials);
    }
}

} // namespace ictus
