// Whether a plug-in completes and frees the requests that it makes, and leaves alone the handles that it is given.
// While a watch lives, the plug-in's own references to MPI's functions that make and complete requests and free handles
// lead to functions of ours, which call MPI's and note what they did; before and after it they lead to MPI's. So a
// timed call is never watched, and nobody else's calls are.
#pragma once

#include "ictus/operation.h"

#include <string>
#include <vector>

namespace ictus::plugin {

struct Library;

/// One at a time. It sees the calls of the library itself in C and C++, not those of libraries that it calls, and none
/// in Fortran, which MPI's own Fortran library makes.
class RequestWatch {
public:
    /// `given` are the handles that the operation was created with; what it frees of them stays.
    RequestWatch(const Library& library, const ictus_operation_site& given);
    ~RequestWatch();
    RequestWatch(const RequestWatch&) = delete;
    RequestWatch& operator=(const RequestWatch&) = delete;

    /// `leaves 2 requests incomplete, the first of MPI_Isend`; empty: none. Persistent ones may stay.
    [[nodiscard]] std::string incomplete() const;
    /// The same of all that were made since the watch began and are neither completed nor freed.
    [[nodiscard]] std::string unfreed() const;
    /// `frees the communicator that it was given`; empty: it frees none.
    [[nodiscard]] std::string freed() const;

private:
    struct Reference {
        void** place;
        void* function;
    };
    std::vector<Reference> references_; ///< as they were
};

} // namespace ictus::plugin
