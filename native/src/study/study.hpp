// A study of the core: measured once by all ranks, then written as the members of a document (file-format.md).
#pragma once

#include "base/option.hpp"
#include "measure/launch_context.hpp"
#include "measure/options.hpp"
#include "mpi/session.hpp"
#include "record/json.hpp"

#include <cstdint>
#include <memory>
#include <mpi.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ictus {

class Study {
public:
    virtual ~Study() = default;
    /// What must fail before anything is measured; nothing here depends on the rank. Throws an Error.
    virtual void check(LaunchContext& context) { (void)context; }
    /// Collective.
    virtual void measure(LaunchContext& context) = 0;
    /// Writes the results as members of the open object; on rank 0.
    virtual void write(record::JsonWriter& json) const = 0;
    /// Warnings for the reader, each as one sentence; on rank 0.
    [[nodiscard]] virtual std::vector<std::string> remarks() const { return {}; }
};

/// A study as its own file defines it.
struct StudyMember {
    std::string_view topic; ///< `clocks`, ...
    std::string_view name;  ///< of the study, behind the topic
    std::string_view summary;
    std::string_view document; ///< what its document calls it
    std::span<const Option> options;
    /// Throws a usage Error. `launch`, which outlives the study, has the cases of a study that has options of cases.
    std::unique_ptr<Study> (*make)(const OptionValues& values, const LaunchPlan& launch);
    /// Whether it needs threads of our own.
    bool (*has_threads)(const OptionValues& values) = [](const OptionValues&) { return false; };
};

namespace study {

/// Calls for each repetition that is lacking, at most: what is missed again and again is told, not waited for.
inline constexpr std::uint64_t most_attempts = 3;

/// Of a study that is made from its options, and from its launch where it needs that.
template <class Concrete>
std::unique_ptr<Study> make(const OptionValues& values, const LaunchPlan& launch) {
    if constexpr (std::is_constructible_v<Concrete, const OptionValues&, const LaunchPlan&>) {
        return std::make_unique<Concrete>(values, launch);
    } else {
        return std::make_unique<Concrete>(values);
    }
}

/// All studies that have a command, in plain sight.
[[nodiscard]] std::span<const StudyMember* const> registry();

/// Counts what a launch with `fault_calls` asks for; it has no command and no options of its own.
extern const StudyMember page_faults;

/// How all studies that examine an order draw it, ...
constexpr Option seed(std::string_view help) { return option::count("seed", "1", help); }
/// ... and where all write.
inline constexpr Option output = option::text("output", "", "file for the JSON; default: standard output");

} // namespace study

/// Rows of numbers, one entry a rank in each.
using Matrix = std::vector<std::vector<double>>;

/// Numbers of this rank, ...
struct OwnNumbers {
    std::string_view name; ///< in the document
    std::vector<double> values;
};
/// ... and of all ranks: a row for each number.
struct RankNumbers {
    std::string_view name;
    Matrix rows;
};

/// Collective. Of each the same number on all ranks; the rows are empty on all ranks but 0.
[[nodiscard]] std::vector<RankNumbers> gather_named(MPI_Comm comm, std::span<const OwnNumbers> own);
/// The same of single numbers.
[[nodiscard]] std::vector<RankNumbers> gather_named(MPI_Comm comm,
                                                    std::initializer_list<std::pair<std::string_view, double>> own);

/// A member each: the ranks of a single number, ...
void write_lists(record::JsonWriter& json, std::span<const RankNumbers> numbers);
/// ... or the rows of several.
void write_matrices(record::JsonWriter& json, std::span<const RankNumbers> numbers);

/// The result on rank 0.
struct StudyDocument {
    std::string json;
    std::vector<std::string> warnings; ///< also in the document
};

/// Collective over MPI_COMM_WORLD. `plan` names ranks, seed, clock, options and, as `output`, the file. The document
/// has the results of the study, the launch that measured them, its options, and the warnings; it is rank 0's, and
/// empty elsewhere. Throws a PlanError, on all ranks, where the plan cannot be carried out.
[[nodiscard]] StudyDocument run_study(const mpi::Session& session, const LaunchPlan& plan, const StudyMember& member,
                                      Study& study);

/// Collective: whether the clocks were synchronised too long ago, by the clock of rank 0, which decides for all.
[[nodiscard]] bool is_stale(Transport& transport, LocalTime synchronised);

} // namespace ictus
