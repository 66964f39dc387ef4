# Under SimGrid's SMPI all ranks are threads of one process, and its network and its time are simulated. The compiler decides:
#
#   CXX=smpicxx cmake -G Ninja -S native -B build && cmake --build build --target ictus-bench
#
# (What -DMPI_CXX_COMPILER=smpicxx alone builds cannot be started: its wrapper makes programs that the simulator loads.)
get_filename_component(compiler_name "${CMAKE_CXX_COMPILER}" NAME)
if(compiler_name MATCHES "^smpi")
  set(ICTUS_SIMULATED ON)
else()
  set(ICTUS_SIMULATED OFF)
endif()

if(ICTUS_SIMULATED)
  # The simulator loads the program once for each rank, and each must have variables of its own: no symbol that the
  # loader makes unique, and a main that it finds.
  add_compile_definitions(ICTUS_SIMULATED)
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
  set(CMAKE_CXX_VISIBILITY_PRESET default)
  set(CMAKE_VISIBILITY_INLINES_HIDDEN OFF)
endif()
