// What tests on MPI have of the main that runs them (check_mpi_main.cpp): its session, and members of families by the
// words a user would give.
#pragma once

#include "base/parameter.hpp"
#include "base/spec.hpp"
#include "mpi/session.hpp"

#include <string>

namespace check {

/// The session of the running program.
const ictus::mpi::Session& session();

/// A file-level object of this type asks for the threads that the file's tests need, before MPI starts.
struct NeedsThreads {
    explicit NeedsThreads(ictus::mpi::Threads threads);
};

/// The member of `family` with its parameters, as `text` names them.
template <class Family>
ictus::Bound bound(const Family& family, const std::string& text) {
    return ictus::bind(family, ictus::parse_spec(text));
}

} // namespace check
