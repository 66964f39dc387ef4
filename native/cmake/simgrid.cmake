# Under SimGrid's SMPI all ranks are threads of one process, and its network and its time are simulated. The compiler decides:
#
#   CXX=smpicxx cmake -G Ninja -S native -B build && cmake --build build --target ictus-bench ictus-platform
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

  # The platform belongs to the simulator and not to the ranks: it must not get what smpicxx puts in place of malloc,
  # exit and clocks. A header that seems to be included already is not.
  file(GLOB platform_sources CONFIGURE_DEPENDS src/platform/*.cpp)
  add_library(ictus-platform SHARED EXCLUDE_FROM_ALL ${platform_sources})
  target_include_directories(ictus-platform PRIVATE src)
  target_compile_options(ictus-platform PRIVATE -Wall -Wextra $<$<BOOL:${ICTUS_WERROR}>:-Werror>)
  target_compile_definitions(ictus-platform PRIVATE SMPI_HELPERS_H)
endif()
