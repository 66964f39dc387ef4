#include "interface/mpi_error.hpp"

#include "mpi/foreign_communicator.hpp"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <string>

namespace ictus {
namespace {

/// MPI keeps codes for ever, so there is one for each class, whose text is that of the last error.
struct Code {
    int error_class;
    int code = MPI_SUCCESS;
};

std::mutex codes_turn;
Code codes[] = {{MPI_ERR_COMM}, {MPI_ERR_ARG}, {MPI_ERR_INFO_VALUE}, {MPI_ERR_TOPOLOGY}, {MPI_ERR_OTHER}};

/// A code of this class with this text; the class itself if MPI refuses it.
int code_of(int error_class, const char* text) {
    const std::scoped_lock turn(codes_turn);
    auto* const own = std::find_if(std::begin(codes), std::end(codes),
                                   [&](const Code& one) { return one.error_class == error_class; });
    if (own == std::end(codes)) {
        return error_class;
    }
    if (own->code == MPI_SUCCESS && MPI_Add_error_code(error_class, &own->code) != MPI_SUCCESS) {
        own->code = error_class;
    }
    if (own->code != error_class) {
        std::string fitting(text); // longer ones are refused
        fitting.resize(std::min<std::size_t>(fitting.size(), MPI_MAX_ERROR_STRING - 1));
        MPI_Add_error_string(own->code, fitting.data()); // SimGrid wants it writable
    }
    return own->code;
}

} // namespace

int raise_error(MPI_Comm comm, int error_class, const char* text) noexcept {
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (!mpi::is_usable(comm) || finalised != 0) {
        std::fprintf(stderr, "%s\n", text);
        return error_class;
    }
    try {
        const int code = code_of(error_class, text);
        const MPI_Comm nowhere = MPI_VERSION >= 4 ? MPI_COMM_SELF : MPI_COMM_WORLD;
        MPI_Comm_call_errhandler(comm == MPI_COMM_NULL ? nowhere : comm, code);
        return code;
    } catch (...) { // no memory for the text
        return error_class;
    }
}

} // namespace ictus
