// A study of clocks: measured once by all ranks, then written as the members of clocks.json (file-format.md).
#pragma once

#include "measure/launch_context.hpp"
#include "mpi/session.hpp"
#include "record/json.hpp"

#include <mpi.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ictus {

class Study {
public:
    virtual ~Study() = default;
    /// `accuracy`, ...
    [[nodiscard]] virtual std::string_view name() const = 0;
    /// Collective. Throws a PlanError, on all ranks, where the plan cannot be carried out.
    virtual void measure(LaunchContext& context) = 0;
    /// Writes the results as members of the open object; on rank 0.
    virtual void write(record::JsonWriter& json) const = 0;
    /// Warnings for the reader, each as one sentence; on rank 0.
    [[nodiscard]] virtual std::vector<std::string> remarks() const { return {}; }
};

/// Collective. One list for each of `values` (the same number on all ranks), with one entry a rank in rank order; the
/// lists are empty on all ranks but 0.
[[nodiscard]] std::vector<std::vector<double>> gather_columns(MPI_Comm comm, std::span<const double> values);

/// clocks.json: the results of a study, the launch that measured them, its options, and the warnings.
/// The result on rank 0.
struct StudyDocument {
    std::string json;
    std::vector<std::string> warnings; ///< also in the document
};

/// Collective over MPI_COMM_WORLD. `plan` names ranks, seed, clock, options and, as `output`, the file; it has no
/// cases. The document is rank 0's, empty elsewhere.
[[nodiscard]] StudyDocument run_study(const mpi::Session& session, const LaunchPlan& plan, Study& study);

} // namespace ictus
