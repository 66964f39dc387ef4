# libictus-profile.so, to load in front of an unmodified MPI program, as libictus-preload.so is (preload.cmake). Simulated
# ranks are threads of one process, in front of which nothing can be loaded: there it is left out.
if(NOT ICTUS_SIMULATED)
  ictus_sources(profile_sources profile)
  add_library(ictus-profile SHARED ${profile_sources})
  target_link_libraries(ictus-profile PRIVATE ictus_core ictus_clocks_mpi ${CMAKE_DL_LIBS})
  # It is there before the program begins: what each thread has needs no call to be found, which each call would make.
  target_compile_options(ictus-profile PRIVATE -ftls-model=initial-exec)
  target_link_options(ictus-profile PRIVATE "LINKER:--exclude-libs,ALL"
    "LINKER:--version-script=${CMAKE_CURRENT_SOURCE_DIR}/src/profile/exports.map")
  if(ICTUS_STATIC_LIBSTDCXX)
    target_link_options(ictus-profile PRIVATE -static-libstdc++ -static-libgcc)
  endif()
  install(TARGETS ictus-profile)
  set_target_properties(ictus-profile PROPERTIES CXX_VISIBILITY_PRESET default INSTALL_RPATH_USE_LINK_PATH ON)
endif()
