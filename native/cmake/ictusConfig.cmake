# find_package(ictus) gives ictus::ictus and ictus::ictus_static; MPI must be the one that ictus was built for.
include(CMakeFindDependencyMacro)
find_dependency(MPI COMPONENTS C)
include("${CMAKE_CURRENT_LIST_DIR}/ictusTargets.cmake")
