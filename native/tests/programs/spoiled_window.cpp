// Timed windows, most of them with one fault, which tests/native/test_timed_window.py must see in the disassembly.
// Never run.
#include "clock/tsc.hpp"
#include "workload/timed_window.hpp"

namespace ictus {

extern int counted;
int other();

class Virtual {
public:
    virtual ~Virtual() = default;
    virtual int call() = 0;
};

using Window = TimedWindow<TscClock>;

/// As time_call, around anything.
template <class Inside>
[[gnu::always_inline]] inline Window around(Inside inside) {
    auto start = TscClock::look();
    hold(start);
    const int code = inside();
    const auto end = TscClock::look();
    hold(start);
    return {start, end, code};
}

Window whole(TscClock& clock, const BoundCall& call) { return time_call(clock, call); }
Window whole_loop(TscClock& clock, const BoundCall& call) { return time_loop(clock, 10, call, call); }

Window spoiled_by_a_second_call(const BoundCall& call) {
    const HeldCall held(call);
    return around([&] {
        (void)other();
        return held();
    });
}

Window spoiled_by_a_store(const BoundCall& call) {
    const HeldCall held(call);
    int* place = &counted;
    hold(place);
    return around([&] {
        *place = 1;
        return held();
    });
}

Window spoiled_by_a_store_behind(const BoundCall& call) {
    const HeldCall held(call);
    int* place = &counted;
    hold(place);
    return around([&] { return *place = held(); });
}

std::int64_t spoiled_by_arithmetic(const BoundCall& call) {
    const HeldCall held(call);
    std::int64_t start = TscClock::raw();
    hold(start);
    (void)held();
    return TscClock::raw() - start;
}

Window spoiled_by_a_virtual_call(Virtual& operation) {
    return around([&] { return operation.call(); });
}

Window spoiled_by_a_late_load(const BoundCall& call) {
    return around([&] { return call(); });
}

Window spoiled_by_no_call() {
    return around([] { return 0; });
}

Window spoiled_loop_that_stores(const BoundCall& call) {
    const HeldCall held(call);
    int* place = &counted;
    hold(place);
    return around([&] {
        int round = 10;
        do {
            *place = held();
        } while (--round > 0);
        return 0;
    });
}

/// What a bound call must not do on its way to its function.
int spoiled_detour(const BoundCall*) { return counted == 0 ? 0 : other(); }

} // namespace ictus
