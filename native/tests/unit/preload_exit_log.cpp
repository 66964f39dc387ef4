// The log of exits: which barriers it keeps when its room is used up, and that memory never grows.
#include "check.hpp"

#include "preload/exit_log.hpp"

using namespace ictus;

namespace {

/// A log of this room after `n` barriers; barrier b was left at tick 10 b, and every third one late.
ExitLog filled(std::uint64_t room, std::uint64_t n) {
    ExitLog log(room);
    for (std::uint64_t barrier = 0; barrier < n; ++barrier) {
        log.make_room(barrier);
        log.add(barrier, {static_cast<std::int64_t>(10 * barrier)}, barrier % 3 == 0 ? late_flag : SampleFlags{0});
    }
    return log;
}

} // namespace

TEST(every_barrier_is_kept_while_there_is_room) {
    const ExitLog log = filled(8, 8);
    CHECK_EQ(8u, log.kept());
    CHECK_EQ(1u, log.stride());
    CHECK_EQ(70, log.at(7).count);
}

TEST(a_full_log_keeps_every_second_barrier_and_goes_on_with_every_second) {
    // Room for 5: at barrier 5 it is full with 0..4, of which 0 2 4 stay; 6 and 8 come; at 10 it is full again, of
    // 0 2 4 6 8 stay 0 4 8, and 12 comes.
    const ExitLog log = filled(5, 14);
    CHECK_EQ(4u, log.stride());
    CHECK_EQ(4u, log.kept());
    for (std::uint64_t i = 0; i < log.kept(); ++i) {
        CHECK_EQ(static_cast<std::int64_t>(10 * i * log.stride()), log.at(i).count);
    }
}

TEST(what_is_kept_is_every_stride_th_barrier_whatever_the_room) {
    for (std::uint64_t room = 1; room <= 9; ++room) {
        for (std::uint64_t n = 0; n <= 200; ++n) {
            const ExitLog log = filled(room, n);
            CHECK(log.kept() <= room);
            CHECK_EQ((n + log.stride() - 1) / log.stride(), log.kept());
            for (std::uint64_t i = 0; i < log.kept(); ++i) {
                CHECK_EQ(static_cast<std::int64_t>(10 * i * log.stride()), log.at(i).count);
                CHECK_EQ((i * log.stride()) % 3 == 0 ? late_flag : SampleFlags{0}, log.flags(i));
            }
        }
    }
}

TEST(a_log_without_room_keeps_nothing) {
    const ExitLog log = filled(0, 100);
    CHECK_EQ(0u, log.kept());
    CHECK_EQ(0u, log.room());
}

TEST(a_closed_log_gives_back_what_it_did_not_use) {
    ExitLog log = filled(100, 3);
    log.close();
    CHECK_EQ(3u, log.room());
    CHECK_EQ(20, log.at(2).count);
}
