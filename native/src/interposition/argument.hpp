// The arguments of MPI functions by what they mean: what each is in C, and what it says of a call. In Fortran all are
// addresses, handles are integers.
#pragma once

#include "base/for_each.hpp"
#include "interposition/functions.hpp"
#include "mpi/fortran_handles.hpp"

#include <cstdint>
#include <mpi.h>
#include <optional>

namespace ictus::interposition {

/// A count for each process or neighbour, of either kind of integers.
struct Counts {
    const int* plain = nullptr;
    const MPI_Count* large = nullptr;

    [[nodiscard]] std::int64_t operator[](int i) const { return large != nullptr ? large[i] : plain[i]; }
};

/// A datatype for each, in C or Fortran.
struct Datatypes {
    const MPI_Datatype* plain = nullptr;
    const MPI_Fint* fortran = nullptr;

    [[nodiscard]] MPI_Datatype operator[](int i) const {
        return plain != nullptr ? plain[i] : PMPI_Type_f2c(fortran[i]);
    }
};

/// Requests of a call, in C or Fortran.
struct Requests {
    MPI_Request* plain = nullptr;
    MPI_Fint* fortran = nullptr;
    int n = 1;

    [[nodiscard]] MPI_Request operator[](int i) const {
        return plain != nullptr ? plain[i] : PMPI_Request_f2c(fortran[i]);
    }
};

/// What the arguments of one call say, as far as they were given. What few calls have costs the others nothing.
struct CallFacts {
    static constexpr int no_root = -1000; ///< below what libraries use for MPI_ROOT and MPI_PROC_NULL

    CallFacts() {} // NOLINT: a constant one is zeroed as a whole, which takes 10 ns

    const void* send = nullptr;
    void* receive = nullptr; ///< or the buffer, where there is one
    std::int64_t send_count = 0;
    std::int64_t receive_count = 0;
    MPI_Datatype send_type = MPI_DATATYPE_NULL;
    MPI_Datatype receive_type = MPI_DATATYPE_NULL;
    std::optional<Counts> send_counts;
    std::optional<Counts> receive_counts;
    std::optional<Datatypes> send_types;
    std::optional<Datatypes> receive_types;
    bool to_neighbours = false;
    bool has_receive_side = false; ///< with a count and a datatype of its own
    MPI_Op op = MPI_OP_NULL;
    int root = no_root;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Win window = MPI_WIN_NULL;
    int n_requests = 1;
    std::optional<Requests> requests;
};

namespace argument {

/// MPI_IN_PLACE or MPI_BOTTOM for the address that stands for it in Fortran; any other as it is (fortran.cpp).
[[nodiscard]] void* buffer_of(void* fortran);
inline int integer(const void* fortran) { return static_cast<int>(*static_cast<const MPI_Fint*>(fortran)); }

/// An argument that is passed on and says nothing of the call.
template <class Type>
struct Passed {
    using C = Type;
};

struct Displacements : Passed<const int*> {};
struct ReceiveDisplacements : Passed<const int*> {};
struct ByteDisplacements : Passed<const MPI_Aint*> {};
struct ReceiveByteDisplacements : Passed<const MPI_Aint*> {};
struct Peer : Passed<int> {};
struct Source : Passed<int> {};
struct Tag : Passed<int> {};
struct ReceiveTag : Passed<int> {};
struct Info : Passed<MPI_Info> {};
struct Status : Passed<MPI_Status*> {};
struct Statuses : Passed<MPI_Status*> {};
struct Flag : Passed<int*> {};
struct Index : Passed<int*> {};
struct Indices : Passed<int*> {};
#ifndef ICTUS_SIMULATED // SimGrid's MPI has none
struct Message : Passed<MPI_Message*> {};
#endif
struct Offset : Passed<MPI_Aint> {};
struct TargetCount : Passed<int> {};
struct TargetType : Passed<MPI_Datatype> {};
struct Result : Passed<void*> {};
struct Compared : Passed<const void*> {};
struct ResultCount : Passed<int> {};
struct ResultType : Passed<MPI_Datatype> {};
struct Assertion : Passed<int> {};
struct LockType : Passed<int> {};
struct Group : Passed<MPI_Group> {};
struct ReadBuffer : Passed<const void*> {};
struct Partition : Passed<int> {};
struct LastPartition : Passed<int> {};
struct RequestValue : Passed<MPI_Request> {};
#if ICTUS_HAS_PERSISTENT_COLLECTIVES
struct ListLength : Passed<int> {};
template <class Function>
struct ListOf;
template <class List>
struct ListOf<int(int, List, MPI_Request)> : Passed<List> {};
struct PartitionList : ListOf<decltype(MPI_Pready_list)> {}; // constant in some libraries
#endif

/// One that is kept in `member` as it is. `of` is what it is in C, of its address in Fortran.
template <class Type, auto member>
struct Noted {
    using C = Type;
    static void note(CallFacts& facts, C value) { facts.*member = value; }
};
template <class Type, auto member>
struct BufferOf : Noted<Type, member> {
    static Type of(void* address) { return buffer_of(address); }
};
template <auto member>
struct IntegerOf : Noted<int, member> {
    static int of(const void* address) { return integer(address); }
};
template <auto member>
struct TypeOf : Noted<MPI_Datatype, member> {
    static MPI_Datatype of(const void* address) { return PMPI_Type_f2c(integer(address)); }
};
template <auto member>
struct CountsOf {
    using C = const int*;
    static_assert(sizeof(MPI_Fint) == sizeof(int));
    static void note(CallFacts& facts, C counts) {
        if (counts != nullptr) {
            (facts.*member).emplace(Counts{counts, nullptr});
        }
    }
    static C of(const void* address) { return static_cast<C>(address); }
};
template <auto member>
struct TypesOf {
    using C = const MPI_Datatype*;
    static void note(CallFacts& facts, C types) { (facts.*member).emplace(Datatypes{types, nullptr}); }
    static void note_fortran(CallFacts& facts, const void* types) {
        (facts.*member).emplace(Datatypes{nullptr, static_cast<const MPI_Fint*>(types)});
    }
};

struct Send : BufferOf<const void*, &CallFacts::send> {};
struct Receive : BufferOf<void*, &CallFacts::receive> {};
struct Buffer : Receive {};
struct SendCount : IntegerOf<&CallFacts::send_count> {};
struct ReceiveCount : IntegerOf<&CallFacts::receive_count> {};
struct SendType : TypeOf<&CallFacts::send_type> {};
struct ReceiveType : TypeOf<&CallFacts::receive_type> {};
struct SendCounts : CountsOf<&CallFacts::send_counts> {};
struct ReceiveCounts : CountsOf<&CallFacts::receive_counts> {};
struct SendTypes : TypesOf<&CallFacts::send_types> {};
struct ReceiveTypes : TypesOf<&CallFacts::receive_types> {};
struct Count : SendCount {};
struct Type : SendType {};
struct Partitions : SendCount {}; // comes before the count of one
struct PartitionCount {
    using C = MPI_Count;
    static void note(CallFacts& facts, C count) { facts.send_count *= count; }
    static C of(const void* address) { return *static_cast<const MPI_Count*>(address); }
};
struct Root : IntegerOf<&CallFacts::root> {};
struct Op : Noted<MPI_Op, &CallFacts::op> {
    static MPI_Op of(const void* address) { return PMPI_Op_f2c(integer(address)); }
};
struct Comm : Noted<MPI_Comm, &CallFacts::comm> {
    static MPI_Comm of(const void* address) { return PMPI_Comm_f2c(integer(address)); }
};
struct Window : Noted<MPI_Win, &CallFacts::window> {
    static MPI_Win of(const void* address) { return PMPI_Win_f2c(integer(address)); }
};
struct FreedWindow {
    using C = MPI_Win*;
    static void note(CallFacts& facts, C window) { facts.window = *window; }
    static void note_fortran(CallFacts& facts, const void* window) { facts.window = Window::of(window); }
};
struct Request {
    using C = MPI_Request*;
    static void note(CallFacts& facts, C requests) {
        facts.requests.emplace(interposition::Requests{requests, nullptr, facts.n_requests});
    }
    static void note_fortran(CallFacts& facts, void* requests) {
        facts.requests.emplace(interposition::Requests{nullptr, static_cast<MPI_Fint*>(requests), facts.n_requests});
    }
};
struct Requests : Request {};
struct Many { // comes before the requests
    using C = int;
    static void note(CallFacts& facts, C n) { facts.n_requests = n; }
    static C of(const void* address) { return integer(address); }
};

/// Counts of messages to neighbours, of which there are not as many as processes.
struct NeighbourCounts : SendCounts {
    static void note(CallFacts& facts, C counts) {
        SendCounts::note(facts, counts);
        facts.to_neighbours = true;
    }
};

/// What an argument is in the form with large counts: as it is, but for counts and displacements.
template <class Argument>
struct LargeOf : Argument {};

template <auto member>
struct LargeCountsOf {
    using C = const MPI_Count*;
    static void note(CallFacts& facts, C counts) {
        if (counts != nullptr) {
            (facts.*member).emplace(Counts{nullptr, counts});
        }
    }
};
template <>
struct LargeOf<Count> : Noted<MPI_Count, &CallFacts::send_count> {};
template <>
struct LargeOf<SendCount> : Noted<MPI_Count, &CallFacts::send_count> {};
template <>
struct LargeOf<ReceiveCount> : Noted<MPI_Count, &CallFacts::receive_count> {};
template <>
struct LargeOf<TargetCount> : Passed<MPI_Count> {};
template <>
struct LargeOf<ResultCount> : Passed<MPI_Count> {};
template <>
struct LargeOf<SendCounts> : LargeCountsOf<&CallFacts::send_counts> {};
template <>
struct LargeOf<ReceiveCounts> : LargeCountsOf<&CallFacts::receive_counts> {};
template <>
struct LargeOf<NeighbourCounts> : LargeOf<SendCounts> {
    static void note(CallFacts& facts, C counts) {
        LargeOf<SendCounts>::note(facts, counts);
        facts.to_neighbours = true;
    }
};
template <>
struct LargeOf<Displacements> : Passed<const MPI_Aint*> {};
template <>
struct LargeOf<ReceiveDisplacements> : Passed<const MPI_Aint*> {};

} // namespace argument

} // namespace ictus::interposition

// The parameters of a function of the list (functions.hpp) by the kinds of its arguments, their names, and their kinds.
#define ICTUS_PARAMETER(one) ::ictus::interposition::argument::one::C one
#define ICTUS_LARGE_PARAMETER(one)                                                                                     \
    ::ictus::interposition::argument::LargeOf<::ictus::interposition::argument::one>::C one
#define ICTUS_NAME(one) one
#define ICTUS_KIND(one) ::ictus::interposition::argument::one
#define ICTUS_PARAMETERS(...) ICTUS_FOR_EACH(ICTUS_PARAMETER, __VA_ARGS__)
#define ICTUS_LARGE_PARAMETERS(...) ICTUS_FOR_EACH(ICTUS_LARGE_PARAMETER, __VA_ARGS__)
#define ICTUS_NAMES(...) ICTUS_FOR_EACH(ICTUS_NAME, __VA_ARGS__)
#define ICTUS_KINDS(...) ICTUS_FOR_EACH(ICTUS_KIND, __VA_ARGS__)
