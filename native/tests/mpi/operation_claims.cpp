// What operations refuse to be made for, and what check() sees after a call that did harm. No communication: the same
// at any number of ranks.
#include "check.hpp"
#include "workload/operation/collective.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace ictus;

namespace {

/// One byte next to or inside of a buffer.
struct Harm {
    enum class Where { nowhere, sent, received } where = Where::nowhere;
    std::ptrdiff_t byte = 0;
};

constexpr std::ptrdiff_t message_bytes = 10 * sizeof(int);

/// An operation on one rank that copies its message, if it is to be received, and then inverts a bit.
class Vandal final : public operation::Collective {
public:
    Vandal(operation::Arrival arrival, Harm harm)
        : Collective(operation::traits("alltoall"), {MPI_COMM_SELF, 0, 1, 0, &find_datatype("int"), nullptr, 10},
                     {Partition::equal(1, 10), Partition::equal(1, 10), arrival}),
          arrival_(arrival), harm_(harm) {}

    BoundCall bind() override { return BoundCall::run(*this); }
    int run() {
        if (arrival_ == operation::Arrival::written) {
            std::memcpy(receive(), send(), message_bytes);
        }
        if (harm_.where == Harm::Where::sent) {
            send()[harm_.byte] ^= std::byte{1};
        }
        if (harm_.where == Harm::Where::received) {
            receive()[harm_.byte] ^= std::byte{1};
        }
        return MPI_SUCCESS;
    }

private:
    [[nodiscard]] BlockSource block_source(int block) const override { return BlockSource::rank(block); }

    operation::Arrival arrival_;
    Harm harm_;
};

/// Where check() finds the harm; empty if it does not.
std::string found_after(operation::Arrival arrival, Harm harm) {
    Vandal vandal(arrival, harm);
    vandal.fill(1);
    (void)vandal.call();
    const auto mismatch = vandal.check(1);
    return mismatch ? mismatch->where : "";
}

std::unique_ptr<Operation> make(std::string_view name, const CallSite& site) {
    return operation::registry().make(bind(operation::family(), {std::string(name), {}}), site);
}

CallSite site_of(std::string_view datatype, std::string_view reduction, std::size_t count, int root = 0) {
    return {MPI_COMM_SELF, 0, 1, root, &find_datatype(datatype), &find_operator(reduction), count};
}

} // namespace

using operation::Arrival;
using Where = Harm::Where;

TEST(honest_calls_pass) {
    for (const Arrival arrival : {Arrival::written, Arrival::untouched, Arrival::undefined}) {
        CHECK_EQ("", found_after(arrival, {}));
    }
}

TEST(whatever_arrives_the_surroundings_of_both_buffers_are_watched) {
    for (const Arrival arrival : {Arrival::written, Arrival::untouched, Arrival::undefined}) {
        CHECK_EQ("guard byte 0 after the receive buffer", found_after(arrival, {Where::received, message_bytes}));
        CHECK_EQ("guard byte 3 before the receive buffer", found_after(arrival, {Where::received, -4}));
        CHECK_EQ("guard byte 63 after the send buffer", found_after(arrival, {Where::sent, message_bytes + 63}));
        CHECK_EQ("guard byte 0 before the send buffer", found_after(arrival, {Where::sent, -1}));
        CHECK_EQ("element 9 of the send buffer, which a call must not change",
                 found_after(arrival, {Where::sent, message_bytes - 1}));
    }
}

TEST(a_receive_buffer_is_judged_by_what_mpi_promises) {
    const Harm harm{Where::received, 8};
    CHECK_EQ("element 2 of the receive buffer", found_after(Arrival::written, harm));
    CHECK_EQ("element 2 of the receive buffer, which this rank must not write", found_after(Arrival::untouched, harm));
    CHECK_EQ("", found_after(Arrival::undefined, harm));
}

TEST(counts_beyond_int_are_refused_where_the_library_has_no_large_counts) {
    for (const MemberInfo* info : operation::family().members) {
        const OperationMember& member = operation::traits(info->name);
        if (member.volume == Volume::none || member.nested != nullptr || !member.available || member.large) {
            continue;
        }
        for (const std::size_t count : {std::size_t{1} << 31, std::size_t{1} << 32, ~std::size_t{0}}) {
            CHECK_THROWS(make(member.name, site_of("byte", "bor", count)), "more than an int can count (2147483647)");
        }
    }
}

TEST(one_memory_at_a_time_is_attached_for_bsend) {
    const auto first = make("pingpong_bsend", site_of("int", "sum", 1));
    CHECK_THROWS(make("pingpong_bsend", site_of("int", "sum", 1)), "name pingpong_bsend only once in a sequence");
}

TEST(what_works_on_single_elements_refuses_derived_datatypes) {
    const auto layout = layout::registry().make(bind(layout::family(), parse_spec("vector(1,2)")));
    CallSite site = site_of("int", "sum", 1);
    site.layout = layout.get();
    CHECK_THROWS(make("compare_and_swap", site), "MPI_Compare_and_swap works on one element of a predefined datatype");
    site.reduction = &find_operator("user(sum)");
    CHECK_THROWS(make("fetch_and_op", site), "MPI_Fetch_and_op works on one element of a predefined datatype");
}

TEST(reductions_into_windows_refuse_operators_of_ours) {
    for (const char* const name : {"accumulate", "get_accumulate", "fetch_and_op"}) {
        CHECK_THROWS(make(name, site_of("int", "user(sum)", 1)), "operator 'user(sum)' is a function of Ictus");
    }
}

TEST(persistent_requests_refuse_buffers_that_move) {
    CallSite site = site_of("int", "sum", 1);
    site.area_bytes = 4096;
    for (const char* const name : {"pingpong_persistent", "bcast_init"}) {
        if (operation::traits(name).available) {
            CHECK_THROWS(make(name, site), "a persistent operation always uses the same buffers");
        }
    }
    CHECK(make("pingpong", site) != nullptr);
}

TEST(the_making_of_a_persistent_request_is_told_behind_what_its_blocking_form_makes_too) {
    for (const MemberInfo* info : operation::family().members) {
        const OperationMember& member = operation::traits(info->name);
        if (member.form != Form::persistent || !member.available) {
            continue;
        }
        const auto blocking = make(member.collective, site_of("int", "sum", 1));
        const auto persistent = make(member.name, site_of("int", "sum", 1));
        const auto as_well = blocking->set_up();
        const auto made = persistent->set_up();
        CHECK_EQ(as_well.size() + 1, made.size());
        for (std::size_t i = 0; i < as_well.size(); ++i) {
            CHECK_EQ(as_well[i].what, made[i].what);
        }
        CHECK_EQ(std::string_view("request"), made.back().what);
        CHECK(made.back().elapsed_s >= 0.0 && made.back().elapsed_s < 60.0);
    }
}

TEST(pairs_that_are_not_there_are_refused) {
    const Bound call = bind(operation::family(), parse_spec("bandwidth(pairs=2)"));
    CallSite site = site_of("int", "sum", 1);
    site.n_ranks = 3; // without communication
    CHECK_THROWS(operation::registry().make(call, site), "2 are more than the 1 pairs of 3 ranks");
}

TEST(roots_that_are_no_rank_are_refused) {
    for (const int root : {-1, 1}) {
        CHECK_THROWS(make("bcast", site_of("int", "sum", 1, root)), "is not one of the ranks 0 to 0");
    }
}

TEST(operators_that_mpi_does_not_define_are_refused_with_those_it_does) {
    CHECK_THROWS(make("allreduce", site_of("byte", "sum", 1)),
                 "MPI_Allreduce: operator 'sum' is not defined on datatype 'byte'; defined are band, bor, bxor");
    CHECK_THROWS(make("scan", site_of("double", "bor", 1)), "defined are sum, prod, max, min");
    CHECK(make("gather", site_of("byte", "sum", 1)) != nullptr); // reduces nothing
}

TEST(unknown_words_list_the_known_ones) {
    CHECK_THROWS(find_datatype("real"), "unknown datatype 'real'; known are byte, char, int, long, float, double");
    CHECK_THROWS(find_operator("plus"), "known are sum, prod, max, min, land, lor, lxor, band, bor, bxor");
    CHECK_THROWS(operation::traits("broadcast"), "known are allgather, iallgather, allgather_init, allgatherv, ");
}

TEST(operators_are_allowed_as_in_the_table_of_mpi_3_1) {
    const std::string integers = "sum prod max min land lor lxor band bor bxor ";
    const std::string floats = "sum prod max min ";
    const std::string bits = "band bor bxor ";
    const std::string expected[] = {bits, integers, integers, integers, floats, floats};
    CHECK_EQ(std::size(expected), datatypes().size());
    for (std::size_t i = 0; i < datatypes().size(); ++i) {
        std::string allowed;
        std::string as_user;
        for (const Operator& reduction : operators()) {
            if (allows(datatypes()[i], reduction)) {
                (reduction.is_user_defined() ? as_user : allowed) += std::string(reduction.name) + " ";
            }
        }
        CHECK_EQ(expected[i], allowed);
        std::string wrapped; // the same by functions of ours, and one that no library has
        for (std::size_t at = 0; at < allowed.size(); at = allowed.find(' ', at) + 1) {
            wrapped += "user(" + allowed.substr(at, allowed.find(' ', at) - at) + ") ";
        }
        CHECK_EQ(wrapped + "user(affine) ", as_user);
    }
}

TEST(in_place_is_refused_where_mpi_does_not_have_it_with_those_that_do) {
    CallSite site = site_of("int", "sum", 1);
    site.in_place = true;
    CHECK_THROWS(make("bcast", site), "operation 'bcast' cannot be called in place; those that can are allgather, "
                                      "allgatherv, allreduce, alltoall, alltoallv, alltoallw, exscan, gather, gatherv, "
                                      "reduce, reduce_scatter, reduce_scatter_block, scan, scatter, scatterv, their");
    CHECK_THROWS(make("reduce_local", site), "cannot be called in place");
    CHECK(make("iallreduce", site) != nullptr);
}

TEST(operators_of_mpi_are_refused_on_derived_datatypes_with_those_of_ours) {
    const auto layout = layout::registry().make(bind(layout::family(), parse_spec("vector(1,2)")));
    CallSite site = site_of("byte", "bor", 1);
    site.layout = layout.get();
    CHECK_THROWS(
        make("reduce", site),
        "operator 'bor' is one of MPI's own, which are not defined on derived datatypes; on a derived datatype of "
        "'byte' defined are user(band), user(bor), user(bxor), user(affine)");
    site.reduction = &find_operator("user(bor)");
    CHECK(make("reduce", site) != nullptr);
}

TEST(layouts_have_the_size_and_extent_that_they_say) {
    for (const char* text : {"contiguous(4)", "vector(2,5,3)", "vector(3,3)", "indexed(3,2)", "indexed"}) {
        const auto layout = layout::registry().make(bind(layout::family(), parse_spec(text)));
        const mpi::DerivedType type = layout->datatype(MPI_DOUBLE);
        int size = 0;
        MPI_Aint lower = 0;
        MPI_Aint extent = 0;
        MPI_Type_size(type.handle(), &size);
        MPI_Type_get_extent(type.handle(), &lower, &extent);
        CHECK_EQ(layout->shape().n_elements() * sizeof(double), static_cast<std::size_t>(size));
        CHECK_EQ(layout->shape().extent * sizeof(double), static_cast<std::size_t>(extent));
        CHECK_EQ(MPI_Aint{0}, lower);
    }
    CHECK_THROWS(layout::registry().make(bind(layout::family(), parse_spec("vector(3,2)"))),
                 "2 is less than the blocklength, 3: the runs would overlap");
}

TEST(sizes_are_those_of_mpi) {
    for (const Datatype& datatype : datatypes()) {
        int size = 0;
        MPI_Type_size(datatype.handle(), &size);
        CHECK_EQ(static_cast<std::size_t>(size), datatype.size_bytes);
    }
}

TEST(volumes_follow_the_convention) {
    const std::string_view moved_whole[] = {"bcast",
                                            "reduce",
                                            "allreduce",
                                            "scan",
                                            "exscan",
                                            "reduce_local",
                                            "pingpong",
                                            "sendrecv_ring",
                                            "put",
                                            "get",
                                            "accumulate",
                                            "pingpong_ssend",
                                            "pingpong_bsend",
                                            "pingpong_persistent",
                                            "get_accumulate",
                                            "fetch_and_op",
                                            "compare_and_swap"};
    for (const MemberInfo* info : operation::family().members) {
        const OperationMember& member = operation::traits(info->name);
        const std::string_view name = member.mockup_of.empty() ? member.collective : member.mockup_of;
        if (member.nested != nullptr) {
            CHECK_EQ("nested", to_string(member.volume));
            continue;
        }
        const bool none = name == "barrier" || member.name == "empty";
        const bool message = std::ranges::find(moved_whole, name) != std::end(moved_whole);
        CHECK_EQ(none ? "none" : message ? "message" : "blocks", to_string(member.volume));
    }
}
