// The build passes ICTUS_VERSION, ICTUS_CXX_FLAGS, ICTUS_BUILD_TYPE and ICTUS_SOURCE_HASH as string literals, to this
// file only: a changed hash then compiles this file anew and nothing else.
#include "record/build_facts.hpp"

#ifndef ICTUS_VERSION
#define ICTUS_VERSION "unknown"
#endif
#ifndef ICTUS_CXX_FLAGS
#define ICTUS_CXX_FLAGS "unknown"
#endif
#ifndef ICTUS_BUILD_TYPE
#define ICTUS_BUILD_TYPE "unknown"
#endif
#ifndef ICTUS_SOURCE_HASH
#define ICTUS_SOURCE_HASH "unknown"
#endif

namespace ictus::record {

namespace {

// Clang and the compilers made from it pretend to be gcc as well, so they are asked first.
std::string compiler() {
#if defined(__clang__) || defined(__INTEL_LLVM_COMPILER) || defined(__NVCOMPILER)
    return __VERSION__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown";
#endif
}

} // namespace

BuildFacts build_facts() { return {ICTUS_VERSION, compiler(), ICTUS_CXX_FLAGS, ICTUS_BUILD_TYPE, ICTUS_SOURCE_HASH}; }

} // namespace ictus::record
