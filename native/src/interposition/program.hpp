// What all libraries in front of a program share: they begin behind MPI_Init and end before MPI_Finalize, and MPI calls
// that they make themselves are the MPI library's. A library says in `library` and `take` (call.hpp) what is its own.
#pragma once

#include <cstdint>
#include <mpi.h>
#include <string>
#include <string_view>
#include <utility>

namespace ictus::mpi {
class Communicator;
} // namespace ictus::mpi

namespace ictus::interposition {

struct Library {
    const char* name; ///< of its messages
    /// Behind MPI_Init, once. A thrown Error, the same on all ranks, ends the program with one message.
    void (*begin)();
    /// Before MPI_Finalize, once. What it throws is said, and the program goes on.
    void (*end)();
};

/// Defined by each library.
extern const Library library;

/// After any form of MPI_Init, with its code; returns it.
int begin(int code) noexcept;
/// Before any form of MPI_Finalize.
void end() noexcept;

/// Whether this thread is in our code, or in a call that was taken: then calls are the MPI library's.
inline constinit thread_local bool inside = false;

class OwnCallsScope {
public:
    OwnCallsScope() : was_inside_(std::exchange(inside, true)) {}
    ~OwnCallsScope() { inside = was_inside_; }
    OwnCallsScope(const OwnCallsScope&) = delete;
    OwnCallsScope& operator=(const OwnCallsScope&) = delete;

private:
    bool was_inside_;
};

/// A line on standard error, behind the library's name.
void say(const std::string& what) noexcept;
/// Reports an error as MPI does: by the communicator's handler, which may end the program. Returns the code.
int raise(MPI_Comm comm, int code, const char* what) noexcept;

/// An environment variable; `otherwise` where it is not set or empty.
[[nodiscard]] std::string_view variable(const char* name, std::string_view otherwise = "");
/// A count in one. Throws a usage Error that names variable, value and what is allowed.
[[nodiscard]] std::uint64_t count_in(const char* name, std::string_view otherwise, std::uint64_t least,
                                     std::uint64_t greatest);
/// Makes the folder that a variable names. Throws a usage Error.
void make_folder(const char* name, const std::string& folder);

/// Throws a usage Error unless the program has as many ranks as the launcher was asked for; 0: not known. The launcher
/// of another library starts single processes.
void require_ranks(std::uint64_t asked, int n_ranks);
/// Collective: the same, but in a spawned world; and throws unless `settings`, a text of variables, is the same on all
/// ranks. Ranks that decide differently wait for each other for ever.
void require_common(const mpi::Communicator& world, std::uint64_t asked, const std::string& settings);

/// The first line of what MPI_Get_library_version says.
[[nodiscard]] std::string library_version();
/// "1 call", "2 calls"
[[nodiscard]] std::string counted(std::uint64_t n, const std::string& what);

} // namespace ictus::interposition
