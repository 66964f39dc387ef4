// The redirection of calls in one process, from MPI_Init to MPI_Finalize of an unmodified program.
//
// All processes of a call must decide alike, without a message. So a decision uses only what MPI guarantees to be the
// same on all of them: the communicator, the operator, and the bytes of the type signature - not on counts and
// datatypes, which may differ, nor on who is called in place.
#pragma once

#include "mpi/handles.hpp"
#include "redirect/account.hpp"
#include "redirect/plugged_calls.hpp"
#include "redirect/report.hpp"
#include "redirect/workspace.hpp"

#include <memory>
#include <optional>

namespace ictus::redirect {

/// A call as its processes agree on it.
struct CollectiveCall {
    CollectiveKind which;
    MPI_Comm comm;
    MPI_Datatype type;  ///< what a unit is, on this process
    std::int64_t count; ///< units of the message, or of one block; negative: an argument that is no count
    MPI_Op op;
    int root;
};

class Redirection {
public:
    /// Collective over MPI_COMM_WORLD, right after MPI_Init. Throws the same Error on all ranks.
    explicit Redirection(const RedirectSettings& settings);
    Redirection(const Redirection&) = delete;
    Redirection& operator=(const Redirection&) = delete;

    struct RerouteChoice {
        const CommunicatorProfile* communicator;
        CollectiveKind which;
        std::size_t line;
    };
    /// Counts the call; nullopt: it is the library's.
    [[nodiscard]] std::optional<RerouteChoice> choose(const CollectiveCall& call);
    /// The call as a mock-up or a plug-in's operation. Throws std::bad_alloc or an Error; returns MPI's code.
    int run(const RerouteChoice& choice, const mockup::Arguments& arguments);
    /// Collective over MPI_COMM_WORLD, right before MPI_Finalize: sums up and prints.
    void finish();

private:
    [[nodiscard]] const CommunicatorProfile& communicator_profile(MPI_Comm comm);
    [[nodiscard]] Disposition disposition_of(const CollectiveCall& call, const CommunicatorProfile& communicator,
                                             std::uint64_t& n_bytes) const;
    void tell(const CallCounts& counts, double elapsed_s); ///< NaN: the program runs

    RedirectSettings settings_;
    mpi::Communicator world_;
    Profile profile_;
    std::unique_ptr<PluggedOperations> plugged_;
    CommAttribute attribute_; ///< each communicator's CommunicatorProfile
    CallAccount account_;
    Workspaces workspaces_;
    double began_s_;
    std::string library_version_;
};

} // namespace ictus::redirect
