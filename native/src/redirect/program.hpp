// The one Redirection of this process, for the replaced MPI functions. Nothing here throws.
#pragma once

#include "redirect/redirection.hpp"

namespace ictus::redirect {

/// After any form of MPI_Init has succeeded with `code`; returns it. The first call counts. A mistake in the variables
/// or in the profile ends the program with one message.
int begin(int code) noexcept;
/// Before any form of MPI_Finalize. The first call counts.
void end() noexcept;

/// While this lives, MPI functions that this thread calls are the library's: mock-ups consist of them.
class MockupScope {
public:
    MockupScope();
    ~MockupScope();
    MockupScope(const MockupScope&) = delete;
    MockupScope& operator=(const MockupScope&) = delete;

private:
    bool was_inside_;
};

/// Null: every call is the library's, because of the time or because we make it.
[[nodiscard]] Redirection* current() noexcept;
/// Reports an error as the library does: by the communicator's handler, which may end the program. Returns the code.
int raise(MPI_Comm comm, int code, const char* what) noexcept;

} // namespace ictus::redirect
