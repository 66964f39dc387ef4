// Progress calls stand where the paper says, and pieces of work add up.
#include "check.hpp"
#include "study/computation.hpp"

using ictus::ProgressCalls;

TEST(there_is_a_call_for_each_whole_interval_and_one_more) {
    CHECK_EQ(3u, ProgressCalls::every(2048, 4096).n); // the paper's example: at the start, in the middle, at the end
    CHECK_EQ(2u, ProgressCalls::every(2048, 4095).n);
    CHECK_EQ(1u, ProgressCalls::every(2048, 2047).n);
    CHECK_EQ(1u, ProgressCalls::every(1, 0).n);
    CHECK_EQ(0u, ProgressCalls::every(std::nullopt, 4096).n);
}

TEST(n_calls_leave_n_less_one_pieces_between_them) {
    CHECK_EQ(1u, ProgressCalls{0}.pieces());
    CHECK_EQ(1u, ProgressCalls{1}.pieces()); // the only call is at the start
    CHECK_EQ(1u, ProgressCalls{2}.pieces());
    CHECK_EQ(64u, ProgressCalls{65}.pieces());
}

TEST(pieces_add_up_and_differ_by_one_at_most) {
    for (const std::uint64_t total : {0, 1, 63, 64, 1000003}) {
        for (const std::uint64_t n : {0, 1, 2, 3, 8, 65}) {
            const ProgressCalls calls{n};
            std::uint64_t sum = 0;
            for (std::uint64_t i = 0; i < calls.pieces(); ++i) {
                sum += calls.piece(total, i);
                CHECK(calls.piece(total, 0) - calls.piece(total, i) <= 1);
            }
            CHECK_EQ(total, sum);
        }
    }
}
