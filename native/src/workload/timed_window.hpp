// The timed window: a reading of the clock, the call, a reading of the clock.
//
// Nothing else happens between the two readings: no store, no arithmetic, no other call. The call is bound before
// (base/bound_call.hpp); its code, the readings and the return code stay in registers until after the second reading.
// Each function is compiled for each clock, so that the readings are inlined. It is not inlined itself: a rehearsal can
// run it, and tests/native/test_timed_window.py reads it in the disassembly.
#pragma once

#include "base/bound_call.hpp"
#include "base/hold.hpp"

#include <concepts>
#include <cstdint>
#include <tuple>

namespace ictus {

/// Both readings as the clock gave them, and the code of the call.
template <class ConcreteClock>
struct TimedWindow {
    typename ConcreteClock::Reading start;
    typename ConcreteClock::Reading end;
    int code;
};

/// A bound call in two registers.
class HeldCall {
public:
    explicit HeldCall(const BoundCall& call) : code_(call.code()), block_(&call) { hold(code_, block_); }
    int operator()() const { return code_(block_); }

private:
    BoundCall::Code code_;
    const BoundCall* block_;
};

template <class ConcreteClock>
[[gnu::noinline, gnu::aligned(64)]] TimedWindow<ConcreteClock> time_call(ConcreteClock& clock, const BoundCall& call) {
    const HeldCall held(call);
    auto start = clock.look();
    hold(start);
    const int code = held();
    const auto end = clock.look();
    hold(start);
    return {start, end, code};
}

/// `rounds`, at least one, times one call after the other; the code is the last one other than success.
template <class ConcreteClock, std::same_as<BoundCall>... Call>
[[gnu::noinline, gnu::aligned(64)]] TimedWindow<ConcreteClock> time_loop(ConcreteClock& clock, std::uint64_t rounds,
                                                                         const Call&... calls) {
    const std::tuple held{HeldCall(calls)...};
    int worst = 0;
    const auto keep = [&worst](int code) { worst = code != 0 ? code : worst; };
    hold(rounds);
    auto start = clock.look();
    hold(start);
    do {
        std::apply([&](const auto&... one) { (keep(one()), ...); }, held);
    } while (--rounds > 0);
    const auto end = clock.look();
    hold(start);
    return {start, end, worst};
}

} // namespace ictus
