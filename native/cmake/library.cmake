# libictus, shared and static: the C interface for tracing tools, with header, pkg-config file and CMake package.
add_library(ictus SHARED src/interface/clock.cpp src/interface/tracing_clock.cpp)
target_link_libraries(ictus PRIVATE ictus_clocks_mpi)
target_link_options(ictus PRIVATE "LINKER:--version-script=${CMAKE_CURRENT_SOURCE_DIR}/src/interface/exports.map")
set_target_properties(ictus PROPERTIES SOVERSION 0 INSTALL_RPATH_USE_LINK_PATH ON)

add_library(ictus_static STATIC $<TARGET_OBJECTS:ictus_clocks> $<TARGET_OBJECTS:ictus_clocks_mpi>
  src/interface/clock.cpp src/interface/tracing_clock.cpp)
target_link_libraries(ictus_static PRIVATE ictus_options MPI::MPI_CXX)
set_target_properties(ictus_static PROPERTIES OUTPUT_NAME ictus)

foreach(library ictus ictus_static)
  target_include_directories(${library} PRIVATE src
    INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  target_include_directories(${library} PRIVATE include)
  target_link_libraries(${library} INTERFACE $<INSTALL_INTERFACE:MPI::MPI_C>)
endforeach()
