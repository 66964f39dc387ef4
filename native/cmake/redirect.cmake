# libictus-redirect.so, to load in front of an unmodified MPI program (preload.cmake).
if(NOT ICTUS_SIMULATED)
  ictus_sources(redirect_sources redirect)
  add_library(ictus-redirect SHARED ${redirect_sources} src/record/mpi_facts.cpp src/plugin/declaration.cpp)
  target_include_directories(ictus-redirect PRIVATE include) # ictus/operation.h
  target_link_libraries(ictus-redirect PRIVATE ictus_core ictus_interface ictus_mockup)
  # It is there before the program begins: what each thread has needs no call to be found, which each decision would make.
  foreach(loaded ictus-redirect ictus_mockup)
    target_compile_options(${loaded} PRIVATE -ftls-model=initial-exec)
  endforeach()
  ictus_load_in_front(redirect)
  set_target_properties(ictus-redirect PROPERTIES UNITY_BUILD ON)
endif()
