// Operations that consist of others: which calls are made, how the volume is shared out, and that what any one of them
// spoils is seen. This program takes the place of MPI_Bcast and MPI_Gather itself, counts their calls and spoils one.
#include "check.hpp"
#include "workload/operation/nested.hpp"

#include <cstring>
#include <typeinfo>

using namespace ictus;

namespace {

struct Observed {
    int bcasts = 0;
    int gathers = 0;
    int spoiled_bcast = 0; ///< the how manieth; 0: none
    int spoiled_gather = 0;
};

Observed& observed() {
    static Observed all;
    return all;
}

int rank_of_world() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int ranks_of_world() {
    int n_ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    return n_ranks;
}

void invert_first_byte(void* buffer, int count) {
    if (count > 0) {
        *static_cast<std::byte*>(buffer) ^= std::byte{0xFF};
    }
}

Bound call_of(const std::string& text) { return bind(operation::family(), parse_spec(text)); }

CallSite site_of(std::size_t count) {
    return {MPI_COMM_WORLD, rank_of_world(), ranks_of_world(), 0, &find_datatype("int"), &find_operator("sum"), count};
}

std::unique_ptr<Operation> make(const std::string& text, std::size_t count = 4) {
    return operation::registry().make(call_of(text), site_of(count));
}

/// What check() says on this rank after a call; empty if it finds nothing wrong.
std::string found_after_call(Operation& operation) {
    operation.fill(7);
    CHECK_EQ(MPI_SUCCESS, operation.call());
    const auto wrong = operation.check(7);
    return wrong ? wrong->where : "";
}

std::string volume_of(const std::string& text) {
    return std::string(to_string(operation::traits(call_of(text)).volume));
}

} // namespace

extern "C" int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    const int code = PMPI_Bcast(buffer, count, type, root, comm);
    Observed& all = observed();
    if (++all.bcasts == all.spoiled_bcast && rank_of_world() == ranks_of_world() - 1) {
        invert_first_byte(buffer, count);
    }
    return code;
}

extern "C" int MPI_Gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count,
                          MPI_Datatype type, int root, MPI_Comm comm) {
    const int code = PMPI_Gather(send, send_count, send_type, receive, count, type, root, comm);
    Observed& all = observed();
    if (++all.gathers == all.spoiled_gather && rank_of_world() == root) {
        invert_first_byte(receive, count);
    }
    return code;
}

TEST(a_repeated_operation_is_called_so_often_and_nothing_else_is_done) {
    const auto operation = make("repeated(bcast,3)");
    observed() = {};
    CHECK_EQ(MPI_SUCCESS, operation->call());
    CHECK_EQ(3, observed().bcasts);
    CHECK_EQ(MPI_SUCCESS, make("repeated(repeated(bcast,4),times=5)")->call());
    CHECK_EQ(3 + 20, observed().bcasts);
    CHECK_EQ(0, observed().gathers);
}

TEST(a_sequence_of_one_is_that_operation) {
    const auto plain = make("gather");
    for (const char* text : {"sequence(gather)", "sequence(sequence(gather))"}) {
        const auto named = make(text);
        CHECK(typeid(*plain) == typeid(*named)); // nothing stands between the clock and the call
    }
    const auto two = make("sequence(gather,gather)");
    CHECK(typeid(*plain) != typeid(*two));
}

TEST(a_sequence_calls_each_of_its_operations_once_and_in_order) {
    observed() = {};
    CHECK_EQ(MPI_SUCCESS, make("sequence(gather,repeated(bcast,2),barrier,gather)")->call());
    CHECK_EQ(2, observed().bcasts);
    CHECK_EQ(2, observed().gathers);
}

TEST(honest_calls_pass_also_where_a_call_goes_on_from_its_own_result) {
    observed() = {};
    for (const char* text :
         {"repeated(bcast,3)", "repeated(allreduce,3)", "repeated(reduce_local,5)", "repeated(accumulate,3)",
          "repeated(get_accumulate,3)", "repeated(fetch_and_op(passive),3)", "repeated(compare_and_swap(pscw),3)",
          "repeated(put(passive),3)", "sequence(gather,bcast)", "sequence(get,repeated(put,2),accumulate(passive))"}) {
        const auto operation = make(text);
        CHECK_EQ("", found_after_call(*operation));
        CHECK_EQ("", found_after_call(*operation));
    }
    CallSite site = site_of(4);
    site.in_place = true;
    for (const char* text :
         {"repeated(allreduce,3)", "sequence(allreduce,barrier,allgather)", "repeated(sequence(scan),2)"}) {
        const auto operation = operation::registry().make(call_of(text), site);
        CHECK_EQ("", found_after_call(*operation));
    }
}

TEST(what_any_one_of_the_calls_spoils_is_seen_and_named) {
    const bool is_last = rank_of_world() == ranks_of_world() - 1;
    // The root's own message, where it is alone.
    const std::string buffer = ranks_of_world() == 1 ? "send buffer, which a call must not change" : "receive buffer";
    for (int call = 1; call <= 3; ++call) {
        const auto operation = make("repeated(bcast,3)");
        observed() = {.spoiled_bcast = call};
        const std::string expected = "call " + std::to_string(call) + " of 3, bcast: element 0 of the " + buffer;
        CHECK_EQ(is_last ? expected : "", found_after_call(*operation));
    }
    const auto sequence = make("sequence(gather,bcast)");
    observed() = {.spoiled_gather = 1};
    CHECK_EQ(rank_of_world() == 0 ? "gather: element 0 of the receive buffer" : "", found_after_call(*sequence));
    observed() = {.spoiled_bcast = 1};
    CHECK_EQ(is_last ? "bcast: element 0 of the " + buffer : "", found_after_call(*sequence));
    observed() = {};
    CHECK_EQ("", found_after_call(*sequence));
}

TEST(a_payload_that_was_not_asked_for_or_never_sent_is_wrong) {
    for (const char* text : {"repeated(allreduce,2)", "sequence(allreduce,allgather)"}) {
        const auto operation = make(text);
        operation->fill(1);
        CHECK(operation->check(1).has_value());
        operation->fill(1);
        CHECK_EQ(MPI_SUCCESS, operation->call());
        CHECK(operation->check(2).has_value());
    }
}

TEST(the_volume_is_that_of_the_one_operation_that_moves_data) {
    CHECK_EQ("none", volume_of("repeated(barrier)"));
    CHECK_EQ("none", volume_of("sequence(barrier,empty)"));
    CHECK_EQ("message", volume_of("repeated(bcast)"));
    CHECK_EQ("blocks", volume_of("repeated(gather)"));
    CHECK_EQ("blocks", volume_of("sequence(barrier,repeated(gather),barrier)"));
    CHECK_EQ("message", volume_of("sequence(gather,bcast)"));
    CHECK_EQ("message", volume_of("sequence(scatter,allgather)"));
}

TEST(what_is_known_of_it_follows_from_its_operations) {
    const OperationMember both = operation::traits(call_of("sequence(gatherv,barrier,allreduce)"));
    CHECK(both.rooted && both.reduces && both.varied && both.in_place != InPlace::never);
    const OperationMember one = operation::traits(call_of("repeated(bcast)"));
    CHECK(one.rooted && !one.reduces && !one.varied && one.in_place == InPlace::never);
    CHECK(operation::traits(call_of("sequence(allreduce,bcast)")).in_place == InPlace::never);
    CHECK_EQ(std::size_t{3}, operation::leaves(call_of("sequence(gather,repeated(sequence(bcast,scan),9))")).size());
}

TEST(each_operation_moves_the_same_total_volume) {
    const auto each = [](const std::string& text, std::uint64_t units, int n_ranks) {
        return operation::units_per_block(call_of(text), units, n_ranks);
    };
    const auto moved = [](const std::string& text, std::uint64_t units, int n_ranks) {
        return operation::largest_buffer_units(call_of(text), units, n_ranks);
    };
    CHECK_EQ(std::uint64_t{10}, each("repeated(bcast,3)", 10, 4)); // of one call
    CHECK_EQ(std::uint64_t{3}, each("repeated(gather,3)", 10, 4));
    CHECK_EQ(std::uint64_t{12}, moved("repeated(gather,3)", 10, 4));
    CHECK_EQ(std::uint64_t{10}, each("sequence(gather,bcast)", 10, 4));
    CHECK_EQ(std::uint64_t{12}, moved("sequence(gather,bcast)", 10, 4));   // 4 blocks of 3
    CHECK_EQ(std::uint64_t{10}, moved("sequence(exchange,bcast)", 10, 4)); // 2 blocks of 5
    CHECK_EQ(std::uint64_t{5}, each("sequence(barrier,exchange)", 10, 4));
    CHECK_EQ(std::uint64_t{0}, each("repeated(barrier)", 10, 4));
    CHECK_EQ(std::uint64_t{12}, moved("repeated(bcast_as_scatter_and_allgather)", 10, 4)); // padded
}

TEST(nonsense_is_refused_with_what_is_allowed) {
    CHECK_THROWS(call_of("repeated(bcast,0)"), "parameter 'times': 0 is below the least value 1");
    CHECK_THROWS(call_of("repeated(bcst,2)"), "unknown operation 'bcst'; known are ");
    CHECK_THROWS(call_of("sequence"),
                 "parameter 'operations': the list is empty; it takes one or more of family operation");
    CHECK_THROWS(call_of("sequence()"), "the list is empty");
    CHECK_THROWS(call_of("sequence(gather,bcst)"), "unknown operation 'bcst'");
    CHECK_THROWS(call_of("sequence(operations=gather)"), "are written without it: sequence(...)");
    CHECK_THROWS(make("sequence(pingpong(half),bcast)"), "use pingpong(time=round-trip)");
    CHECK_EQ(std::uint64_t{2}, make("repeated(pingpong,time=half)")->parts());
}
