// When which synchronisation is checked by ping-pong. Rank 0 decides by its clock; one check serves all that is due.
#pragma once

#include "study/trial.hpp"

namespace ictus {

class CheckSchedule {
public:
    /// The ranks and the plan outlive this object.
    CheckSchedule(Transport& transport, const std::vector<int>& ranks, const AccuracyPlan& plan)
        : transport_(transport), ranks_(ranks), plan_(plan) {}

    /// The next trial, at each of the plan's waits after its end.
    void add(Trial& trial);
    /// Collective: what is due by now. What fell due while an algorithm synchronised is late, and says so.
    void perform_due(std::vector<Trial>& trials);
    /// Collective: all that is left, each at its time.
    void perform_all(std::vector<Trial>& trials);

private:
    struct Due {
        double root_time_s;
        std::size_t trial;
        std::size_t wait;
    };

    Transport& transport_;
    const std::vector<int>& ranks_;
    const AccuracyPlan& plan_;
    std::size_t n_trials_ = 0;
    std::vector<Due> pending_; // the same on all ranks
};

} // namespace ictus
