// A persistent request that we made and therefore free.
#pragma once

#include <mpi.h>

namespace ictus::mpi {

class PersistentRequest {
public:
    PersistentRequest() = default;
    /// Must not be active.
    ~PersistentRequest() {
        if (handle_ != MPI_REQUEST_NULL) {
            MPI_Request_free(&handle_);
        }
    }
    PersistentRequest(const PersistentRequest&) = delete;
    PersistentRequest& operator=(const PersistentRequest&) = delete;

    /// For the call that makes it, and for MPI_Start and what completes it, which leave a persistent handle as it is.
    [[nodiscard]] MPI_Request* handle() { return &handle_; }

private:
    MPI_Request handle_ = MPI_REQUEST_NULL;
};

} // namespace ictus::mpi
