// `communicators creation`: how long calls take that make communicators, by the number of groups into which they divide
// the ranks. All ranks begin a call together; it lasts from the first begin to the last end. Communicators are freed
// between calls. Layout: file-format.md, communicators.json.
#include "barrier/barrier.hpp"
#include "base/quantity.hpp"
#include "base/random.hpp"
#include "clocksync/clocksync.hpp"
#include "measure/calibration.hpp"
#include "measure/case_measurement.hpp"
#include "mpi/agreement.hpp"
#include "study/study.hpp"
#include "transport/control.hpp"

#include <algorithm>
#include <set>

namespace ictus {
namespace {

constexpr Option communicators_options[] = {
    option::ranks,
    option::clock,
    option::clock_domain,
    option::member("clocksync", defaults::clocksync, "how the clocks that time the calls are synchronised",
                   &clocksync::family),
    option::member("procsync", "window(batch=1)", "how ranks begin each call together", &procsync::family),
    option::choice("calls", "split,create,create-group,dup,split-type", "calls that make communicators",
                   "split create create-group dup split-type")
        .list(),
    option::count("groups", "auto",
                  "numbers of groups into which ranks are divided; auto: 1, 2, 4 and so on, and one for each rank",
                  {1, 1e7})
        .or_auto()
        .list(),
    option::count("nrep", "100", "valid repetitions of each call", {1, 1e6}),
    option::count("warmup", "10", "first calls of each kind, which are not counted", {1, 1e6}),
    study::seed("seed of the order of the calls"),
    study::output,
};

constexpr std::uint64_t rounds_of_block = 100; ///< between two measurements of the clocks

/// The division of the ranks of `comm` into groups of neighbours, as this rank sees it: made before anything is timed.
struct Division {
    Division(MPI_Comm parent, int rank_in_parent, int size, int groups_)
        : comm(parent), rank(rank_in_parent), groups(groups_),
          group(static_cast<int>(std::int64_t{rank_in_parent} * groups_ / size)), first(first_of(group, size)),
          n_ranks(first_of(group + 1, size) - first), members(parent, first, n_ranks) {}

    [[nodiscard]] int first_of(int number, int size) const {
        return static_cast<int>((std::int64_t{number} * size + groups - 1) / groups);
    }

    MPI_Comm comm;
    int rank;
    int groups;
    int group; ///< of this rank, ...
    int first; ///< ... its first rank, ...
    int n_ranks;
    mpi::RankGroup members;
};

struct CreationCall {
    std::string_view name; ///< of the option
    const char* mpi_name;
    bool divides; ///< by our groups; `dup` does not, and `split-type` by the hosts
    int (*make)(const Division&, MPI_Comm* made);
};

constexpr CreationCall creation_calls[] = {
    {"split", "MPI_Comm_split", true,
     [](const Division& own, MPI_Comm* made) { return MPI_Comm_split(own.comm, own.group, own.rank, made); }},
    {"create", "MPI_Comm_create", true,
     [](const Division& own, MPI_Comm* made) { return MPI_Comm_create(own.comm, own.members.handle(), made); }},
    {"create-group", "MPI_Comm_create_group", true,
     [](const Division& own, MPI_Comm* made) {
         return MPI_Comm_create_group(own.comm, own.members.handle(), 0, made);
     }},
    {"dup", "MPI_Comm_dup", false, [](const Division& own, MPI_Comm* made) { return MPI_Comm_dup(own.comm, made); }},
    {"split-type", "MPI_Comm_split_type", false,
     [](const Division& own, MPI_Comm* made) {
         return MPI_Comm_split_type(own.comm, MPI_COMM_TYPE_SHARED, own.rank, MPI_INFO_NULL, made);
     }},
};

/// Ascending; without those of which there are too many for the ranks.
std::vector<int> groups_of(std::span<const std::string> words, int size) {
    std::set<int> groups;
    for (const std::string& word : words) {
        if (word == "auto") {
            for (std::int64_t number = 1; number < size; number *= 2) {
                groups.insert(static_cast<int>(number));
            }
            groups.insert(size);
        } else {
            groups.insert(static_cast<int>(parse_count(word, "option 'groups'")));
        }
    }
    return {groups.begin(), groups.end()};
}

/// One attempt on this rank.
struct CreationAttempt {
    LocalTime begin;
    LocalTime end;
    SampleFlags flags;
};

/// One call with one number of groups.
struct Creation {
    Creation(const CreationCall& made_by, MPI_Comm parent, int rank, int size, int groups)
        : call(&made_by), division(parent, rank, size, groups) {}

    const CreationCall* call;
    Division division;
    int n_ranks = 0; ///< of this rank's new communicator
    int largest = 0; ///< ranks of the largest one
    std::unique_ptr<ProcSync> start;
    std::vector<CreationAttempt> attempts; ///< since the clocks were measured last
    std::uint64_t attempted = 0;
    std::uint64_t valid = 0;
    std::vector<double> makespan_s; ///< of the valid repetitions; on rank 0
};

void free_communicator(MPI_Comm comm) { mpi::check(MPI_Comm_free(&comm), "MPI_Comm_free"); }

class CommunicatorsStudy final : public Study {
public:
    explicit CommunicatorsStudy(const OptionValues& values)
        : procsync_(values.member("procsync")), calls_(values.words("calls")), groups_(values.words("groups")),
          nrep_(values.count("nrep")), warmup_(values.count("warmup")), seed_(values.count("seed")) {}

    void check(LaunchContext& context) override {
        if (!context.clocksync().synchronises()) {
            throw PlanError("option 'clocksync': a call lasts from the first begin to the last end on a global clock, "
                            "and 'none' gives none; use ictus or hca3");
        }
        if (context.make_start(procsync_)->ends_cases()) {
            throw PlanError("procsync '" + std::string(procsync_.info().name) +
                            "' itself decides when a case ends, and the calls of this study take turns; use window");
        }
        const int most = groups_of(groups_, context.size()).back();
        if (most > context.size()) {
            throw PlanError("option 'groups': " + std::to_string(most) + " groups need as many ranks, and there are " +
                            std::to_string(context.size()));
        }
    }

    void measure(LaunchContext& context) override {
        const mpi::Communicator parent = mpi::Communicator::duplicate(context.record_comm());
        make_creations(context, parent.handle());
        Calibration opening = open_block(context);
        LocalTime synchronised = opening.at;
        for (const std::unique_ptr<Creation>& one : creations_) {
            one->start = context.make_start(procsync_);
            one->start->prepare(warm_up(context, *one));
        }
        std::uint64_t lacking = nrep_;
        for (std::uint64_t done = 0; lacking > 0 && done < study::most_attempts * nrep_;) {
            if (is_stale(context.transport(), synchronised)) {
                opening = open_block(context);
                synchronised = opening.at;
            }
            const std::uint64_t rounds = std::min({lacking, study::most_attempts * nrep_ - done, rounds_of_block});
            for (std::uint64_t round = done; round < done + rounds; ++round) {
                for (const std::uint64_t index : shuffled_order(creations_.size(), SplitMix64::mix(seed_) + round)) {
                    attempt(context, *creations_[index]);
                }
            }
            done += rounds;
            const Closing closing = close_block(context, opening);
            lacking = reduce(context, model_between(opening, closing));
            const double bound_s = control::largest(context.transport(), bound_between(opening, closing));
            clock_bound_s_ = larger_or_none(bound_s, clock_bound_s_);
            opening = reanchored(opening, closing);
            context.global_clock().set_model(opening.result.model);
        }
    }

    [[nodiscard]] std::vector<std::string> remarks() const override {
        std::vector<std::string> found;
        for (const std::unique_ptr<Creation>& one : creations_) {
            if (2 * one->valid < one->attempted) {
                found.push_back(std::string(one->call->mpi_name) + ", groups: " + std::to_string(one->division.groups) +
                                ": only " + std::to_string(one->valid) + " of " + std::to_string(one->attempted) +
                                " repetitions began together");
            }
        }
        return found;
    }

    void write(record::JsonWriter& json) const override {
        json.member("procsync", to_string(procsync_.spec())).member("nrep", nrep_);
        json.member("clock_bound_s", clock_bound_s_);
        json.array("creations", creations_, [&](const std::unique_ptr<Creation>& one) {
            json.begin_object().member("call", one->call->name).member("mpi_name", one->call->mpi_name);
            json.member("groups", one->division.groups).member("largest", one->largest);
            json.member("attempted", one->attempted).member("valid", one->valid);
            json.numbers("makespan_s", one->makespan_s).end_object();
        });
    }

private:
    void make_creations(LaunchContext& context, MPI_Comm parent) {
        std::set<int> hosts;
        for (const RankLocation& location : context.transport().locations()) {
            hosts.insert(location.host);
        }
        for (const CreationCall& call : creation_calls) {
            if (std::ranges::find(calls_, call.name) == calls_.end()) {
                continue;
            }
            const auto add = [&](int groups) {
                creations_.push_back(std::make_unique<Creation>(call, parent, context.rank(), context.size(), groups));
                Creation& one = *creations_.back();
                one.n_ranks =
                    call.divides || call.name == "dup" ? one.division.n_ranks : context.topology().n_host_ranks;
                one.largest = static_cast<int>(control::largest(context.transport(), one.n_ranks));
            };
            if (call.divides) {
                std::ranges::for_each(groups_of(groups_, context.size()), add);
            } else {
                add(call.name == "dup" ? 1 : static_cast<int>(hosts.size()));
            }
        }
    }

    /// First calls, begun by our own barrier, whose communicators are looked at: the largest duration. Collective.
    double warm_up(LaunchContext& context, const Creation& one) const {
        Transport& transport = context.transport();
        const auto barrier = barrier::make_own();
        std::vector<double> durations;
        std::optional<Error> wrong;
        for (std::uint64_t i = 0; i < warmup_; ++i) {
            MPI_Comm made = MPI_COMM_NULL;
            barrier->wait(transport);
            const LocalTime begin = transport.now();
            mpi::check(one.call->make(one.division, &made), one.call->mpi_name);
            durations.push_back(transport.now() - begin);
            if (i == 0) {
                wrong = error_of(one, made);
            }
            free_communicator(made);
        }
        mpi::agree(context.record_comm(), wrong);
        return longest_undisturbed(transport, std::move(durations));
    }

    /// Whether this rank's new communicator has the ranks that it should have, in their order.
    static std::optional<Error> error_of(const Creation& one, MPI_Comm made) {
        int size = 0;
        int rank = 0;
        MPI_Comm_size(made, &size);
        MPI_Comm_rank(made, &rank);
        const bool is_ours = one.call->divides || one.division.groups == 1;
        if (size == one.n_ranks && (!is_ours || rank == one.division.rank - one.division.first)) {
            return std::nullopt;
        }
        return measurement_error(std::string(one.call->mpi_name) + " made a communicator in which this rank is " +
                                 std::to_string(rank) + " of " + std::to_string(size) + ", expected were " +
                                 std::to_string(one.n_ranks) + " ranks");
    }

    static void attempt(LaunchContext& context, Creation& one) {
        MPI_Comm made = MPI_COMM_NULL;
        CreationAttempt own{};
        one.start->begin();
        own.flags = one.start->start();
        own.begin = context.transport().now();
        const int code = one.call->make(one.division, &made);
        own.end = context.transport().now();
        mpi::check(code, one.call->mpi_name);
        // A call that outlasts its window is valid here: the next one is announced when it is over.
        (void)one.start->finish(own.end);
        free_communicator(made);
        one.attempts.push_back(own);
    }

    /// Collective: the makespans of the attempts since the clocks were measured last. Returns the largest number of
    /// missing repetitions of a call.
    std::uint64_t reduce(LaunchContext& context, const ClockModel& model) {
        std::uint64_t lacking = 0;
        for (const std::unique_ptr<Creation>& one : creations_) {
            std::vector<double> extremes; // of each attempt the last end, and the negated first begin
            std::vector<SampleFlags> flags;
            for (const CreationAttempt& own : one->attempts) {
                extremes.insert(extremes.end(), {model.to_global(own.end).s, -model.to_global(own.begin).s});
                flags.push_back(own.flags);
            }
            control::reduce_largest(context.transport(), extremes);
            control::combine_flags(context.transport(), flags);
            one->start->judge(flags);
            for (std::size_t i = 0; i < flags.size(); ++i) {
                if (flags[i] == 0 && context.is_root()) {
                    one->makespan_s.push_back(extremes[2 * i] + extremes[2 * i + 1]);
                }
                one->valid += flags[i] == 0 ? 1 : 0;
            }
            one->attempted += flags.size();
            one->attempts.clear();
            lacking = std::max(lacking, nrep_ - std::min(nrep_, one->valid));
        }
        return lacking;
    }

    Bound procsync_;
    std::vector<std::string> calls_;
    std::vector<std::string> groups_; ///< numbers, or auto
    std::uint64_t nrep_;
    std::uint64_t warmup_;
    std::uint64_t seed_;
    double clock_bound_s_ = 0.0; ///< the largest of all blocks; NaN: none
    std::vector<std::unique_ptr<Creation>> creations_;
};

} // namespace

namespace study {
extern const StudyMember communicators;
const StudyMember communicators = {"communicators",
                                   "creation",
                                   "how long calls take that make communicators, by the number of groups",
                                   "communicators",
                                   communicators_options,
                                   make<CommunicatorsStudy>};
} // namespace study

} // namespace ictus
