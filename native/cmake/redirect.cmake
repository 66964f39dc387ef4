# libictus-redirect.so, to load in front of an unmodified MPI program, as libictus-preload.so is (preload.cmake). Simulated
# ranks are threads of one process, in front of which nothing can be loaded: there it is left out.
if(NOT ICTUS_SIMULATED)
  ictus_sources(redirect_sources redirect)
  add_library(ictus-redirect SHARED ${redirect_sources} src/record/mpi_facts.cpp)
  target_link_libraries(ictus-redirect PRIVATE ictus_core ictus_interface ictus_mockup ${CMAKE_DL_LIBS})
  # It is there before the program begins: what each thread has needs no call to be found, which each decision would make.
  foreach(loaded ictus-redirect ictus_mockup)
    target_compile_options(${loaded} PRIVATE -ftls-model=initial-exec)
  endforeach()
  target_link_options(ictus-redirect PRIVATE "LINKER:--exclude-libs,ALL"
    "LINKER:--version-script=${CMAKE_CURRENT_SOURCE_DIR}/src/redirect/exports.map")
  if(ICTUS_STATIC_LIBSTDCXX)
    target_link_options(ictus-redirect PRIVATE -static-libstdc++ -static-libgcc)
  endif()
  install(TARGETS ictus-redirect)
  set_target_properties(ictus-redirect PROPERTIES CXX_VISIBILITY_PRESET default INSTALL_RPATH_USE_LINK_PATH ON
    UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
endif()
