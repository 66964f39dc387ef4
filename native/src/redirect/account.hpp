// Counts of the calls and their dispositions: by every thread, summed over all processes at the end.
#pragma once

#include "interposition/functions.hpp"
#include "mpi/foreign_communicator.hpp"
#include "redirect/profile.hpp"

#include <array>
#include <atomic>
#include <mpi.h>

namespace ictus::redirect {

/// The collectives that have mock-ups.
#define ICTUS_CALL(name, lower, ...) lower,
enum class CollectiveKind { ICTUS_COLLECTIVES_WITH_MOCKUPS(ICTUS_CALL) };
#undef ICTUS_CALL
#define ICTUS_CALL(name, lower, ...) std::string_view(#lower),
inline constexpr std::array collective_names = {ICTUS_COLLECTIVES_WITH_MOCKUPS(ICTUS_CALL)};
#undef ICTUS_CALL

[[nodiscard]] constexpr CollectiveKind kind_of(interposition::CallId call) {
    return static_cast<CollectiveKind>(static_cast<int>(call) - static_cast<int>(interposition::CallId::Allgather));
}
static_assert(kind_of(interposition::CallId::Scatter) == CollectiveKind::scatter);

struct CollectiveTraits {
    bool in_blocks; ///< a count is that of each of p blocks
    bool reduces;   ///< by an operator
    bool rooted;
};
[[nodiscard]] inline CollectiveTraits traits_of(CollectiveKind which) {
    constexpr static CollectiveTraits all[] = {
        {true, false, false}, // allgather
        {false, true, false}, // allreduce
        {false, false, true}, // bcast
        {true, false, true},  // gather
        {false, true, true},  // reduce
        {false, true, false}, // reduce_scatter
        {true, true, false},  // reduce_scatter_block
        {false, true, false}, // scan
        {true, false, true},  // scatter
    };
    static_assert(std::size(all) == collective_names.size());
    return all[static_cast<std::size_t>(which)];
}

/// What became of a call.
enum class Disposition {
    rerouted,
    not_in_profile, ///< no line for this operation
    other_n,        ///< its lines are for other numbers of processes
    other_size,     ///< ... for other sizes
    empty,          ///< nothing to move
    too_large,      ///< above ICTUS_REDIRECT_LIMIT
    not_commutative,
    not_predefined, ///< a plug-in reduces by MPI's own operators and datatypes
    between_groups, ///< an intercommunicator
    beyond_world,   ///< processes outside of MPI_COMM_WORLD
    refused,        ///< arguments that are the library's to refuse
};
inline constexpr std::array<std::string_view, 11> disposition_names = {"rerouted",
                                                                       "not in the profile",
                                                                       "other number of processes",
                                                                       "other size",
                                                                       "nothing to move",
                                                                       "above the limit",
                                                                       "operator not commutative",
                                                                       "operator or datatype of the program",
                                                                       "between two groups",
                                                                       "beyond MPI_COMM_WORLD",
                                                                       "bad arguments"};

/// Sums of one process or of all.
struct CallCounts {
    std::vector<std::uint64_t> dispositions; ///< one row a collective, one column a disposition
    std::vector<std::uint64_t> calls;        ///< of each line of the profile
    std::vector<std::uint64_t> bytes;        ///< volumes of those
    std::uint64_t scratch_bytes = 0;         ///< the most that a process had

    [[nodiscard]] std::uint64_t of(CollectiveKind which, Disposition disposition) const {
        return dispositions[static_cast<std::size_t>(which) * disposition_names.size() +
                            static_cast<std::size_t>(disposition)];
    }
    [[nodiscard]] std::uint64_t all(CollectiveKind which) const;
};

class CallAccount {
public:
    /// `at_once`: whether several threads may call at the same time.
    CallAccount(std::size_t n_lines, bool at_once) : at_once_(at_once), calls_(n_lines), bytes_(n_lines) {}

    void pass(CollectiveKind which, Disposition disposition) { add(at(which, disposition), 1); }
    void reroute(CollectiveKind which, std::size_t line, std::uint64_t n_bytes) {
        pass(which, Disposition::rerouted);
        add(calls_[line], 1);
        add(bytes_[line], n_bytes);
    }

    /// Collective over `world`; the sums are rank 0's.
    [[nodiscard]] CallCounts gather(MPI_Comm world, std::uint64_t scratch_bytes) const;

private:
    using Count = std::atomic<std::uint64_t>;

    /// An atomic addition costs as much as the rest of a decision.
    void add(Count& count, std::uint64_t more) const {
        if (at_once_) {
            count.fetch_add(more, std::memory_order_relaxed);
        } else {
            count.store(count.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
        }
    }
    Count& at(CollectiveKind which, Disposition disposition) {
        return dispositions_[static_cast<std::size_t>(which) * disposition_names.size() +
                             static_cast<std::size_t>(disposition)];
    }

    bool at_once_;
    std::array<Count, collective_names.size() * disposition_names.size()> dispositions_{};
    std::vector<Count> calls_;
    std::vector<Count> bytes_;
};

/// The size of a communicator and the lines of the profile for that size. An attribute of the communicator.
class CommunicatorProfile final : public AttachedValue {
public:
    CommunicatorProfile(MPI_Comm comm, const Profile& profile);
    ~CommunicatorProfile() override;

    /// Changes whenever one of them is freed: a cached pointer is valid until then.
    [[nodiscard]] static std::uint64_t generation();

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int n_ranks() const { return n_ranks_; }
    /// The disposition of a call of `n_bytes`, and the line of the profile where that is `rerouted`.
    struct RerouteDecision {
        Disposition disposition;
        std::size_t line;
    };
    [[nodiscard]] RerouteDecision answer(CollectiveKind which, std::uint64_t n_bytes) const;
    /// Of calls of any size; `rerouted` where it depends on the size.
    [[nodiscard]] Disposition disposition(CollectiveKind which) const {
        return for_all_sizes_[static_cast<std::size_t>(which)];
    }

private:
    struct SizeRange {
        std::uint64_t from_bytes;
        std::uint64_t to_bytes;
        std::size_t line;
    };

    int rank_ = 0;
    int n_ranks_ = 0;
    std::array<std::vector<SizeRange>, collective_names.size()> ranges_; ///< ascending
    std::array<Disposition, collective_names.size()> for_all_sizes_{};
};

} // namespace ictus::redirect
