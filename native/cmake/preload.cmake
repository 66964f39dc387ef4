# Libraries to load in front of an unmodified MPI program: only the MPI functions that one takes the place of are seen from
# outside, and it brings its own C++ library, for the program may have another or none.
include(CheckLinkerFlag)
check_linker_flag(CXX "-static-libstdc++" ICTUS_STATIC_LIBSTDCXX)
function(ictus_load_in_front name)
  target_link_libraries(ictus-${name} PRIVATE ${CMAKE_DL_LIBS})
  target_link_options(ictus-${name} PRIVATE "LINKER:--exclude-libs,ALL"
    "LINKER:--version-script=${CMAKE_CURRENT_SOURCE_DIR}/src/${name}/exports.map")
  if(ICTUS_STATIC_LIBSTDCXX)
    target_link_options(ictus-${name} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
  install(TARGETS ictus-${name})
  set_target_properties(ictus-${name} PROPERTIES CXX_VISIBILITY_PRESET default INSTALL_RPATH_USE_LINK_PATH ON)
endfunction()

# libictus-preload.so. Simulated ranks are threads of one process, in front of which nothing can be loaded: there it is an
# archive to link the program with, and the other two (redirect.cmake, profile.cmake) are left out.
ictus_sources(preload_sources preload)
if(ICTUS_SIMULATED)
  list(FILTER preload_sources EXCLUDE REGEX "preload/fortran")
  add_library(ictus-preload STATIC EXCLUDE_FROM_ALL ${preload_sources} src/record/mpi_facts.cpp $<TARGET_OBJECTS:ictus_clocks>
    $<TARGET_OBJECTS:ictus_core> $<TARGET_OBJECTS:ictus_clocks_mpi> $<TARGET_OBJECTS:ictus_neighbourhood>
    $<TARGET_OBJECTS:ictus_sparse> $<TARGET_OBJECTS:ictus_interface>)
  target_link_libraries(ictus-preload PRIVATE ictus_options MPI::MPI_CXX)
  set_target_properties(ictus-preload PROPERTIES CXX_VISIBILITY_PRESET default)
else()
  add_library(ictus-preload SHARED ${preload_sources} src/record/mpi_facts.cpp)
  target_link_libraries(ictus-preload PRIVATE ictus_core ictus_interface)
  ictus_load_in_front(preload)
endif()
set_target_properties(ictus-preload PROPERTIES UNITY_BUILD ON)
