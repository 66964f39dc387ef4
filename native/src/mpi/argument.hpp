// The arguments of MPI functions by what they mean: what each is in C, and what it says of a call. In Fortran all are
// addresses, handles are integers.
#pragma once

#include "base/for_each.hpp"
#include "mpi/fortran_constants.hpp"
#include "mpi/fortran_handles.hpp"

#include <cstdint>
#include <mpi.h>

namespace ictus::mpi {

/// A count for each process or neighbour, of either kind of integers; none: the call has no such argument.
struct Counts {
    const int* plain = nullptr;
    const MPI_Count* large = nullptr;

    [[nodiscard]] bool given() const { return plain != nullptr || large != nullptr; }
    [[nodiscard]] std::int64_t operator[](int i) const { return large != nullptr ? large[i] : plain[i]; }
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

/// What the arguments of one call say, as far as they were given.
struct CallFacts {
    static constexpr int no_root = -1000; ///< below what libraries use for MPI_ROOT and MPI_PROC_NULL

    const void* send = nullptr;
    const void* receive = nullptr;
    std::int64_t send_count = 0;
    std::int64_t receive_count = 0;
    MPI_Datatype send_type = MPI_DATATYPE_NULL;
    MPI_Datatype receive_type = MPI_DATATYPE_NULL;
    Counts send_counts;
    Counts receive_counts;
    const MPI_Datatype* send_types = nullptr;
    const MPI_Datatype* receive_types = nullptr;
    const MPI_Fint* fortran_send_types = nullptr;
    const MPI_Fint* fortran_receive_types = nullptr;
    bool to_neighbours = false;
    bool has_receive_side = false; ///< with a count and a datatype of its own
    bool is_scatter = false;
    MPI_Op op = MPI_OP_NULL;
    int root = no_root;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Win window = MPI_WIN_NULL;
    Requests requests;
};

namespace argument {

inline int integer(const void* fortran) { return static_cast<int>(*static_cast<const MPI_Fint*>(fortran)); }
inline MPI_Datatype datatype(const void* fortran) { return PMPI_Type_f2c(*static_cast<const MPI_Fint*>(fortran)); }

/// An argument that is passed on and says nothing of the call.
template <class Type>
struct Passed {
    using C = Type;
    static void note(CallFacts&, C) {}
    static void note_fortran(CallFacts&, void*) {}
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
struct Request {
    using C = MPI_Request*;
    static void note(CallFacts& facts, C requests) { facts.requests.plain = requests; }
    static void note_fortran(CallFacts& facts, void* requests) {
        facts.requests.fortran = static_cast<MPI_Fint*>(requests);
    }
};
struct Requests : Request {};
struct Many {
    using C = int;
    static void note(CallFacts& facts, C n) { facts.requests.n = n; }
    static void note_fortran(CallFacts& facts, void* n) { note(facts, integer(n)); }
};
struct Status : Passed<MPI_Status*> {};
struct Statuses : Passed<MPI_Status*> {};
struct Flag : Passed<int*> {};
struct Index : Passed<int*> {};
struct Indices : Passed<int*> {};
struct Message : Passed<MPI_Message*> {};
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

/// What send and receive sides share: `Side` says where it is kept.
template <class Type, auto member>
struct BufferOf {
    using C = Type;
    static void note(CallFacts& facts, C buffer) { facts.*member = buffer; }
    static void note_fortran(CallFacts& facts, void* buffer) { facts.*member = fortran::buffer(buffer); }
};
template <auto member>
struct CountOf {
    using C = int;
    static void note(CallFacts& facts, C count) { facts.*member = count; }
    static void note_fortran(CallFacts& facts, void* count) { note(facts, integer(count)); }
};
template <auto member>
struct TypeOf {
    using C = MPI_Datatype;
    static void note(CallFacts& facts, C type) { facts.*member = type; }
    static void note_fortran(CallFacts& facts, void* type) { note(facts, datatype(type)); }
};
template <auto member>
struct CountsOf {
    using C = const int*;
    static_assert(sizeof(MPI_Fint) == sizeof(int));
    static void note(CallFacts& facts, C counts) { facts.*member = {.plain = counts}; }
    static void note_fortran(CallFacts& facts, void* counts) { note(facts, static_cast<C>(counts)); }
};
template <auto member, auto fortran_member>
struct TypesOf {
    using C = const MPI_Datatype*;
    static void note(CallFacts& facts, C types) { facts.*member = types; }
    static void note_fortran(CallFacts& facts, void* types) {
        facts.*fortran_member = static_cast<const MPI_Fint*>(types);
    }
};

struct Send : BufferOf<const void*, &CallFacts::send> {};
struct Receive : BufferOf<void*, &CallFacts::receive> {};
struct Buffer : Passed<void*> {};
struct ReadBuffer : Passed<const void*> {};
struct SendCount : CountOf<&CallFacts::send_count> {};
struct ReceiveCount : CountOf<&CallFacts::receive_count> {};
struct SendType : TypeOf<&CallFacts::send_type> {};
struct ReceiveType : TypeOf<&CallFacts::receive_type> {};
struct SendCounts : CountsOf<&CallFacts::send_counts> {};
struct ReceiveCounts : CountsOf<&CallFacts::receive_counts> {};
struct SendTypes : TypesOf<&CallFacts::send_types, &CallFacts::fortran_send_types> {};
struct ReceiveTypes : TypesOf<&CallFacts::receive_types, &CallFacts::fortran_receive_types> {};
struct Count : CountOf<&CallFacts::send_count> {};
struct Type : TypeOf<&CallFacts::send_type> {};

/// Counts of messages to neighbours, of which there are not as many as processes.
struct NeighbourCounts : SendCounts {
    static void note(CallFacts& facts, C counts) {
        SendCounts::note(facts, counts);
        facts.to_neighbours = true;
    }
    static void note_fortran(CallFacts& facts, void* counts) { note(facts, static_cast<C>(counts)); }
};

struct Op {
    using C = MPI_Op;
    static void note(CallFacts& facts, C op) { facts.op = op; }
    static void note_fortran(CallFacts& facts, void* op) { note(facts, PMPI_Op_f2c(*static_cast<MPI_Fint*>(op))); }
};
struct Root {
    using C = int;
    static void note(CallFacts& facts, C root) { facts.root = root; }
    static void note_fortran(CallFacts& facts, void* root) { note(facts, integer(root)); }
};
struct Comm {
    using C = MPI_Comm;
    static void note(CallFacts& facts, C comm) { facts.comm = comm; }
    static void note_fortran(CallFacts& facts, void* comm) {
        note(facts, PMPI_Comm_f2c(*static_cast<MPI_Fint*>(comm)));
    }
};
struct Window {
    using C = MPI_Win;
    static void note(CallFacts& facts, C window) { facts.window = window; }
    static void note_fortran(CallFacts& facts, void* window) {
        note(facts, PMPI_Win_f2c(*static_cast<MPI_Fint*>(window)));
    }
};
struct FreedWindow {
    using C = MPI_Win*;
    static void note(CallFacts& facts, C window) { facts.window = *window; }
    static void note_fortran(CallFacts& facts, void* window) { Window::note_fortran(facts, window); }
};

/// What an argument is in the form with large counts: as it is, but for counts and displacements.
template <class Argument>
struct LargeOf : Argument {};

template <auto member>
struct LargeCountOf {
    using C = MPI_Count;
    static void note(CallFacts& facts, C count) { facts.*member = count; }
};
template <auto member>
struct LargeCountsOf {
    using C = const MPI_Count*;
    static void note(CallFacts& facts, C counts) { facts.*member = {.large = counts}; }
};
template <>
struct LargeOf<Count> : LargeCountOf<&CallFacts::send_count> {};
template <>
struct LargeOf<SendCount> : LargeCountOf<&CallFacts::send_count> {};
template <>
struct LargeOf<ReceiveCount> : LargeCountOf<&CallFacts::receive_count> {};
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

} // namespace ictus::mpi

// The parameters of a function of the list (functions.hpp) by the kinds of its arguments, their names, and their kinds.
#define ICTUS_PARAMETER(one) ::ictus::mpi::argument::one::C one
#define ICTUS_LARGE_PARAMETER(one) ::ictus::mpi::argument::LargeOf<::ictus::mpi::argument::one>::C one
#define ICTUS_NAME(one) one
#define ICTUS_KIND(one) ::ictus::mpi::argument::one
#define ICTUS_PARAMETERS(...) ICTUS_FOR_EACH(ICTUS_PARAMETER, __VA_ARGS__)
#define ICTUS_LARGE_PARAMETERS(...) ICTUS_FOR_EACH(ICTUS_LARGE_PARAMETER, __VA_ARGS__)
#define ICTUS_NAMES(...) ICTUS_FOR_EACH(ICTUS_NAME, __VA_ARGS__)
#define ICTUS_KINDS(...) ICTUS_FOR_EACH(ICTUS_KIND, __VA_ARGS__)
