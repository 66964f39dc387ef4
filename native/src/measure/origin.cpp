#include "measure/origin.hpp"

#include "measure/domain_remarks.hpp"
#include "record/mpi_facts.hpp"
#include "record/wall_time.hpp"

namespace ictus {

record::LaunchRecord origin_of(Workplace& workplace, const LaunchPlan& plan) {
    Clock& clock = workplace.clock();
    record::LaunchRecord launch;
    launch.n_ranks = workplace.size();
    launch.seed = plan.seed;
    launch.started = record::now_iso8601();
    launch.mpi = record::read_mpi_facts();
    launch.core = record::build_facts();
    const clock::Fineness fineness = clock::measure_fineness(clock);
    launch.clock = {to_string(plan.clock.spec()), clock.frequency_hz(), clock.frequency_source(),
                    fineness.resolution_s,        fineness.reading_s,   workplace.domains().leader_of};
    launch.clocksync = {to_string(plan.clocksync.spec()), workplace.clocksync().synchronises()};
    launch.options = plan.options;
    launch.warnings = opening_domain_remarks(workplace);
    return launch;
}

} // namespace ictus
