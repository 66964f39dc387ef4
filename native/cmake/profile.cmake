# libictus-profile.so, to load in front of an unmodified MPI program (preload.cmake).
if(NOT ICTUS_SIMULATED)
  ictus_sources(profile_sources profile)
  add_library(ictus-profile SHARED ${profile_sources})
  target_link_libraries(ictus-profile PRIVATE ictus_core ictus_clocks_mpi)
  # As in redirect.cmake: each call that is counted would make that call.
  target_compile_options(ictus-profile PRIVATE -ftls-model=initial-exec)
  ictus_load_in_front(profile)
endif()
