// Which libraries take each other's handles, by what they say of themselves.
#include "check.hpp"
#include "interposition/preloading.hpp"

using namespace ictus;

TEST(a_library_is_known_by_its_name) {
    CHECK(abi_of("Open MPI v5.0.11, package: Open MPI user@localhost Distribution") == LibraryAbi::openmpi);
    CHECK(abi_of("IBM Spectrum MPI v10.3") == LibraryAbi::openmpi);
    CHECK(abi_of("MPICH Version:      5.0.2\nMPICH Release date: ...") == LibraryAbi::mpich);
    CHECK(abi_of("Intel(R) MPI Library 2021.18 for Linux* OS") == LibraryAbi::mpich);
    CHECK(abi_of("MVAPICH2 Version      :\t2.3.7") == LibraryAbi::mpich);
    CHECK(abi_of("MPI VERSION    : CRAY MPICH version 8.1.25 (ANL base 3.4a2)") == LibraryAbi::mpich);
}

TEST(what_is_said_behind_the_name_decides_nothing) {
    CHECK(abi_of("Open MPI v4.1.4, package: MPICH replacement, ident: 4.1.4") == LibraryAbi::openmpi);
    CHECK(abi_of("SMPI Version 3.32.0. Copyright The SimGrid Team 2007-2022\nMPICH") == LibraryAbi::unknown);
}

TEST(who_says_nothing_is_not_known) { CHECK(abi_of("") == LibraryAbi::unknown); }
