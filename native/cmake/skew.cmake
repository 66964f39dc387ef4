# libictus-skew.so, to preload: it needs no MPI, and brings its own C++ library, for the program may have another or
# none. Only what it takes the place of is seen from outside.
include(CheckLinkerFlag)
add_library(ictus-skew SHARED
  src/skew/calls.cpp src/skew/settings.cpp src/skew/skewed_time.cpp
  src/clockmath/skew.cpp src/base/parameter.cpp src/base/spec.cpp
  src/base/quantity.cpp src/record/json.cpp)
target_link_libraries(ictus-skew PRIVATE ictus_options ${CMAKE_DL_LIBS})
target_link_options(ictus-skew PRIVATE "LINKER:--exclude-libs,ALL" "LINKER:--version-script=${CMAKE_CURRENT_SOURCE_DIR}/src/skew/exports.map")
check_linker_flag(CXX "-static-libstdc++" ICTUS_STATIC_LIBSTDCXX)
if(ICTUS_STATIC_LIBSTDCXX)
  target_link_options(ictus-skew PRIVATE -static-libstdc++ -static-libgcc)
endif()
set_target_properties(ictus-skew PROPERTIES UNITY_BUILD ON)
if(ICTUS_SANITIZE) # nothing that is sanitised can be loaded in front of a program that is not
  set_target_properties(ictus-skew PROPERTIES EXCLUDE_FROM_ALL ON)
else()
  install(TARGETS ictus-skew)
endif()
