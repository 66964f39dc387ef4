// Operations of plug-ins (include/ictus/operation.h) in the place of a program's calls.
//
// A profile says which library it means by its SHA-256, and the user says where it is (ICTUS_REDIRECT_PLUGINS): nothing
// is loaded that a profile alone names, and no file of another content. `create` and `destroy` are collective, so all
// processes of a communicator keep and forget what is created alike: by what MPI promises to be the same on them.
#pragma once

#include "mpi/foreign_communicator.hpp"
#include "mpi/handles.hpp"
#include "plugin/declaration.hpp"
#include "redirect/profile.hpp"
#include "redirect/workspace.hpp"

#include <deque>
#include <memory>
#include <mpi.h>
#include <vector>

namespace ictus::redirect {

/// What a line of the profile calls.
struct PluggedLine {
    const ictus_operation* operation = nullptr; ///< null: the line names a mock-up
    std::vector<long long> values;              ///< of its parameters
};

/// How a call looks to an operation: without gaps, and with a datatype that is no program's own.
struct PluggedCall {
    std::size_t line;
    MPI_Comm comm; ///< the program's
    MPI_Datatype type;
    MPI_Op op;
    long long count;
    int root;
    const void* send;
    void* receive;
};

/// One of MPI's own operators. An operator of the program may be freed, and another one may get its handle.
[[nodiscard]] bool is_predefined(MPI_Op op);

class PluggedOperations {
public:
    /// Loads what the profile names out of `files`, separated by colons. Throws a usage Error.
    PluggedOperations(const Profile& profile, const std::string& files);

    /// Whether MPI promises of these handles what a kept operation needs: no program can free them.
    [[nodiscard]] static bool can_reduce(MPI_Datatype type, MPI_Op op);
    /// The call; its buffers are the program's or in `space`. Throws an Error; returns MPI's code or the operation's.
    int run(std::size_t line, std::string_view collective, const mockup::Arguments& arguments, Workspace& space);

private:
    int call(const PluggedCall& call);
    int run_reduction(std::size_t line, bool in_blocks, const mockup::Arguments& a, Workspace& space);
    int run_bcast(std::size_t line, const mockup::Arguments& a, Workspace& space);
    int run_blocks(std::size_t line, std::string_view collective, const mockup::Arguments& a, Workspace& space);

    std::deque<plugin::Library> libraries_;
    std::vector<PluggedLine> lines_;
    CommAttribute attribute_; ///< each communicator's created operations
};

} // namespace ictus::redirect
