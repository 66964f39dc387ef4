// The functions that a library takes the place of, made of the one list: for each a thin one in C, one with large
// counts, and in Fortran those of each compiler. Included once by each library, in front of its lists:
//
//   extern "C" {
//   #define ICTUS_CALL ICTUS_IN_C
//   ...
#pragma once

#include "interposition/call.hpp"

#define ICTUS_IN_C(name, lower, UPPER, ...)                                                                            \
    int MPI_##name(ICTUS_PARAMETERS(__VA_ARGS__)) {                                                                    \
        using namespace ::ictus::interposition;                                                                        \
        return call_from_c<CallId::name, PMPI_##name, AsIs, ICTUS_KINDS(__VA_ARGS__)>(__builtin_return_address(0),     \
                                                                                      ICTUS_NAMES(__VA_ARGS__));       \
    }

#define ICTUS_IN_LARGE_C(name, lower, UPPER, ...)                                                                      \
    int MPI_##name##_c(ICTUS_LARGE_PARAMETERS(__VA_ARGS__)) {                                                          \
        using namespace ::ictus::interposition;                                                                        \
        return call_from_c<CallId::name, PMPI_##name##_c, argument::LargeOf, ICTUS_KINDS(__VA_ARGS__)>(                \
            __builtin_return_address(0), ICTUS_NAMES(__VA_ARGS__));                                                    \
    }

#ifdef ICTUS_SIMULATED // C programs alone
#define ICTUS_IN_FORTRAN(...)
#else
#define ICTUS_ADDRESS(one) void* one
#define ICTUS_IN_FORTRAN(name, lower, UPPER, ...)                                                                      \
    ICTUS_FORTRAN_NAMES(name, lower, UPPER, (ICTUS_FOR_EACH(ICTUS_ADDRESS, __VA_ARGS__), MPI_Fint * error),            \
                        (ICTUS_NAMES(__VA_ARGS__)), (ICTUS_KINDS(__VA_ARGS__)))
#define ICTUS_FORTRAN_NAMES(name, lower, UPPER, parameters, names, kinds)                                              \
    ICTUS_FORTRAN_NAME(mpi_##lower##_, classic, name, lower, parameters, names, kinds)                                 \
    ICTUS_CLASSIC_NAMES(lower, UPPER, parameters)                                                                      \
    ICTUS_FORTRAN_NAME(mpi_##lower##_f08_, f08, name, lower, parameters, names, kinds)                                 \
    ICTUS_FORTRAN_NAME(mpi_##lower##_f08ts_, f08ts, name, lower, parameters, names, kinds)                             \
    ICTUS_FORTRAN_NAME(mpi_##lower##_f08ts_large_, f08ts_large, name, lower, parameters, names, kinds)
#define ICTUS_FORTRAN_NAME(spelled, form, name, lower, parameters, names, kinds)                                       \
    void spelled parameters {                                                                                          \
        using namespace ::ictus::interposition;                                                                        \
        static constinit FortranSymbol symbol(#lower, FortranName::form);                                              \
        void* const addresses[] = {ICTUS_LIST names};                                                                  \
        call_from_fortran(in_fortran<CallId::name, PMPI_##name, ICTUS_LIST kinds>, symbol,                             \
                          __builtin_return_address(0), addresses, error);                                              \
    }
#define ICTUS_LIST(...) __VA_ARGS__
/// Behind mpi_bcast_, the other names of the same function.
#define ICTUS_CLASSIC_NAMES(lower, UPPER, parameters)                                                                  \
    [[gnu::alias("mpi_" #lower "_")]] void mpi_##lower parameters;                                                     \
    [[gnu::alias("mpi_" #lower "_")]] void mpi_##lower##__ parameters;                                                 \
    [[gnu::alias("mpi_" #lower "_")]] void MPI_##UPPER parameters;
#endif
