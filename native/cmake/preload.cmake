# Libraries to load in front of an unmodified MPI program: only the MPI functions that one takes the place of are seen from
# outside, and it brings its own C++ library, for the program may have another or none. All have the same base. They are
# there before the program begins: what each thread has needs no call to be found, which each call would make.
ictus_sources(interposition_sources interposition)
if(ICTUS_SIMULATED)
  list(FILTER interposition_sources EXCLUDE REGEX "interposition/fortran")
endif()
add_library(ictus_interposition OBJECT ${interposition_sources})
target_link_libraries(ictus_interposition PUBLIC ictus_interface)
set_target_properties(ictus_interposition PROPERTIES UNITY_BUILD ON CXX_VISIBILITY_PRESET default)
if(NOT ICTUS_SIMULATED)
  target_compile_options(ictus_interposition PUBLIC -ftls-model=initial-exec)
endif()
include(CheckLinkerFlag)
check_linker_flag(CXX "-static-libstdc++" ICTUS_STATIC_LIBSTDCXX)
function(ictus_load_in_front name)
  target_link_libraries(ictus-${name} PRIVATE ictus_core ictus_interface ictus_interposition ${CMAKE_DL_LIBS})
  target_link_options(ictus-${name} PRIVATE "LINKER:--exclude-libs,ALL"
    "LINKER:--version-script=${CMAKE_CURRENT_SOURCE_DIR}/src/interposition/exports.map")
  if(ICTUS_STATIC_LIBSTDCXX)
    target_link_options(ictus-${name} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
  install(TARGETS ictus-${name})
  set_target_properties(ictus-${name} PROPERTIES CXX_VISIBILITY_PRESET default INSTALL_RPATH_USE_LINK_PATH ON
    UNITY_BUILD ON)
endfunction()

# libictus-preload.so. Simulated ranks are threads of one process, in front of which nothing can be loaded: there it is an
# archive to link the program with, and the other two (redirect.cmake, profile.cmake) are left out.
ictus_sources(preload_sources preload)
if(ICTUS_SIMULATED)
  add_library(ictus-preload STATIC EXCLUDE_FROM_ALL ${preload_sources} $<TARGET_OBJECTS:ictus_clocks>
    $<TARGET_OBJECTS:ictus_core> $<TARGET_OBJECTS:ictus_clocks_mpi> $<TARGET_OBJECTS:ictus_neighbourhood>
    $<TARGET_OBJECTS:ictus_sparse> $<TARGET_OBJECTS:ictus_interface> $<TARGET_OBJECTS:ictus_interposition>)
  target_link_libraries(ictus-preload PRIVATE ictus_options MPI::MPI_CXX)
  set_target_properties(ictus-preload PROPERTIES CXX_VISIBILITY_PRESET default UNITY_BUILD ON)
else()
  add_library(ictus-preload SHARED ${preload_sources})
  ictus_load_in_front(preload)
endif()
