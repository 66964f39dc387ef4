// One case on one rank: validate, warm up, measure, top up.
#pragma once

#include "base/time.hpp"
#include "measure/launch_context.hpp"
#include "measure/plan.hpp"
#include "transport/transport.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ictus {

/// When this rank is the root whose own duration samples keep: the root of the first group, its rank 0 where the
/// operation has none.
struct RootDuty {
    std::size_t turns = 1;           ///< roots that take turns
    std::optional<std::size_t> turn; ///< absent: never

    [[nodiscard]] bool in(std::size_t repetition) const { return turn && repetition % turns == *turn; }
};

/// A measured case on this rank. Flags are already combined over all ranks.
struct MeasuredCase {
    const CasePlan* plan = nullptr;
    Extent extent;
    bool takes_part = true; ///< this rank; else its stamps do not count for the latency
    int n_callers = 0;      ///< ranks that take part
    int n_together = 0;     ///< ranks of one communicator
    RootDuty root_duty;
    std::vector<Stamp> stamps;
    bool large_counts = false; ///< the call was MPI's for counts beyond an int
    std::uint64_t valid = 0;
    std::uint64_t calls = 1;       ///< from a stamp's start to its end
    double window_s = 0.0;         ///< at the end; NaN where there is none
    std::uint64_t cache_bytes = 0; ///< the cache that was to be cold; 0: none
    std::vector<SetupCost> set_up; ///< on the rank where each step took longest
    LocalTime started;
    LocalTime ended;
};

/// The operation of a case with its buffers, which move through `area_bytes` each (0: they stay); nothing to do on a
/// rank that takes no part.
[[nodiscard]] std::unique_ptr<Operation> make_operation(const CallGroup& call_group, const CasePlan& plan,
                                                        const Extent& extent, int root, std::uint64_t area_bytes);

/// One such operation for each root where the root rotates, else one. `call_group` and `plan` must outlive it.
[[nodiscard]] RootRotation make_rotation(const CallGroup& call_group, const CasePlan& plan, const Extent& extent,
                                         std::uint64_t area_bytes);

/// `MPI_Bcast`, `my_bcast of plug-in libmine.so`: for messages.
[[nodiscard]] std::string title_of(const CasePlan& plan);

/// Collective: the longest of these durations, each over all ranks, far outliers left out; the same on all ranks.
[[nodiscard]] double longest_undisturbed(Transport& transport, std::vector<double> durations);

/// Collective.
[[nodiscard]] MeasuredCase measure_case(LaunchContext& context, const CasePlan& plan, bool validate,
                                        std::uint64_t seed);

/// Collective: checks the result of one call with a random payload on all ranks. Every case is validated before it is
/// timed, because a wrong result has no latency. A persistent operation and one of a plug-in make two calls with
/// different payloads, because they may keep the first one; the latter is checked once more after it was timed, because
/// it may count its calls. The lowest rank with a wrong element throws a measurement Error that names
/// the operation, the rank, the element, the expected and the found value, and `when`. The other ranks wait until that
/// ends the launch.
void validate_payload(Transport& transport, const CasePlan& plan, int root, Operation& operation, std::uint64_t seed,
                      std::string_view when = {});

} // namespace ictus
