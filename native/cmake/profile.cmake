# libictus-profile.so, to load in front of an unmodified MPI program (preload.cmake).
if(NOT ICTUS_SIMULATED)
  ictus_sources(profile_sources profile)
  add_library(ictus-profile SHARED ${profile_sources} src/record/control_variables.cpp src/record/tool_interface.cpp)
  # No other library takes the place of its own functions, so that the compiler may put one into another.
  target_compile_options(ictus-profile PRIVATE -fno-semantic-interposition)
  # A thousand thin functions, which more work of the compiler makes no faster.
  set_source_files_properties(src/profile/calls.cpp PROPERTIES COMPILE_OPTIONS -O1 SKIP_UNITY_BUILD_INCLUSION ON)
  ictus_load_in_front(profile)
  set_target_properties(ictus-profile PROPERTIES UNITY_BUILD ON)
endif()
