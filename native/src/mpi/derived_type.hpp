// A datatype that we made and therefore free.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <utility>

namespace ictus::mpi {

class DerivedType {
public:
    /// None.
    DerivedType() = default;
    /// Owns `handle`, and commits it.
    explicit DerivedType(MPI_Datatype handle);
    ~DerivedType();
    DerivedType(DerivedType&& other) noexcept : handle_(std::exchange(other.handle_, MPI_DATATYPE_NULL)) {}
    DerivedType& operator=(DerivedType&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }

    /// The same data, so many elements from one to the next.
    [[nodiscard]] DerivedType resized(MPI_Datatype element, std::size_t extent) const;
    [[nodiscard]] bool exists() const { return handle_ != MPI_DATATYPE_NULL; }
    [[nodiscard]] MPI_Datatype handle() const { return handle_; }

private:
    MPI_Datatype handle_ = MPI_DATATYPE_NULL;
};

} // namespace ictus::mpi
