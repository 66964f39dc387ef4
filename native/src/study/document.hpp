// clocks.json: what a study found, by whom, how it was asked for and what may have changed it.
#pragma once

#include "mpi/session.hpp"
#include "study/study.hpp"

#include <string>

namespace ictus {

/// What rank 0 has to hand on.
struct StudyDocument {
    std::string json;
    std::vector<std::string> warnings; ///< also in the document
};

/// Collective over MPI_COMM_WORLD. `plan` names ranks, seed, clock, options and, as `output`, the file; it has no
/// cases. The document is rank 0's, empty elsewhere.
[[nodiscard]] StudyDocument run_study(const mpi::Session& session, const LaunchPlan& plan, Study& study);

} // namespace ictus
