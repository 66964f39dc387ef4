# libictus-redirect.so, to load in front of an unmodified MPI program (preload.cmake).
if(NOT ICTUS_SIMULATED)
  ictus_sources(redirect_sources redirect)
  add_library(ictus-redirect SHARED ${redirect_sources} src/plugin/declaration.cpp)
  target_include_directories(ictus-redirect PRIVATE include) # ictus/operation.h
  target_link_libraries(ictus-redirect PRIVATE ictus_mockup)
  target_compile_options(ictus_mockup PRIVATE -ftls-model=initial-exec) # as all that is loaded with it
  ictus_load_in_front(redirect)
endif()
