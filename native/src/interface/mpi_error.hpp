// Errors reported as MPI reports its own: through the communicator's error handler, with a class and a text.
#pragma once

#include "base/error.hpp"

#include <mpi.h>

namespace ictus {

/// An Error that knows MPI's class for it.
class MpiError : public Error {
public:
    MpiError(int error_class, const std::string& message) : Error(Kind::usage, message), class_(error_class) {}
    [[nodiscard]] int error_class() const noexcept { return class_; }

private:
    int class_;
};

/// Calls the error handler of `comm`; where there is none (no communicator), that of MPI_COMM_SELF or, before MPI 4, of
/// MPI_COMM_WORLD. If the handler returns, returns a code of this class, whose text MPI_Error_string has. Without MPI
/// the text goes to standard error.
int raise_error(MPI_Comm comm, int error_class, const char* text) noexcept;

/// Runs `f`; no exception crosses the C boundary. An Error without a class of MPI's becomes `otherwise`, if it is a
/// usage error, else MPI_ERR_OTHER.
template <class F>
int as_mpi_call(MPI_Comm comm, int otherwise, F f) noexcept {
    try {
        f();
        return MPI_SUCCESS;
    } catch (const MpiError& error) {
        return raise_error(comm, error.error_class(), error.what());
    } catch (const Error& error) {
        return raise_error(comm, error.kind() == Error::Kind::usage ? otherwise : MPI_ERR_OTHER, error.what());
    } catch (const std::exception& error) {
        return raise_error(comm, MPI_ERR_OTHER, error.what());
    } catch (...) {
        return raise_error(comm, MPI_ERR_OTHER, "an error without a text");
    }
}

} // namespace ictus
