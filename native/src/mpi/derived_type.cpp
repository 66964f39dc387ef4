#include "mpi/derived_type.hpp"

#include "mpi/check.hpp"

namespace ictus::mpi {

DerivedType::DerivedType(MPI_Datatype handle) : handle_(handle) { check(MPI_Type_commit(&handle_), "MPI_Type_commit"); }

DerivedType::~DerivedType() {
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (exists() && finalised == 0) {
        MPI_Type_free(&handle_);
    }
}

DerivedType DerivedType::resized(MPI_Datatype element, std::size_t extent) const {
    MPI_Aint lower = 0;
    MPI_Aint element_bytes = 0;
    check(MPI_Type_get_extent(element, &lower, &element_bytes), "MPI_Type_get_extent");
    MPI_Datatype resized = MPI_DATATYPE_NULL;
    check(MPI_Type_create_resized(handle_, 0, static_cast<MPI_Aint>(extent) * element_bytes, &resized),
          "MPI_Type_create_resized");
    return DerivedType(resized);
}

} // namespace ictus::mpi
