// The C interface: checks arguments, and turns Errors into codes and a text. The work is done in tracing_clock.
#include "ictus/clock.h"
#include "base/summary.hpp"

#include "base/error.hpp"
#include "interface/clocked_communicator.hpp"
#include "interface/tracing_clock.hpp"

#include <cstdio>
#include <limits>

struct ictus_clock {
    std::unique_ptr<ictus::TracingClock> own;
};

namespace {

using namespace ictus;

thread_local char error_text[1024]; // no allocation: lack of memory must be reported too

int fail(int code, const char* text) noexcept {
    std::snprintf(error_text, sizeof error_text, "%s", text);
    return code;
}

/// No exception crosses the boundary.
template <class F>
int guarded(F f) noexcept {
    try {
        f();
        return ICTUS_OK;
    } catch (const Error& error) {
        return fail(error.kind() == Error::Kind::usage ? ICTUS_USAGE_ERROR : ICTUS_MEASUREMENT_ERROR, error.what());
    } catch (const std::exception& error) {
        return fail(ICTUS_MEASUREMENT_ERROR, error.what());
    } catch (...) {
        return fail(ICTUS_MEASUREMENT_ERROR, "an error without a text");
    }
}

template <class T, class F>
T guarded_value(T otherwise, F f) noexcept {
    T value = otherwise;
    guarded([&] { value = f(); });
    return value;
}

template <class C>
TracingClock& existing(C* clock) {
    if (clock == nullptr) {
        throw usage_error("the clock is NULL: ictus_clock_create has not been called, or has failed");
    }
    return *clock->own;
}

void require_mpi() {
    int finalised = 0;
    if (MPI_Finalized(&finalised); finalised != 0) {
        throw usage_error("MPI is finalised: clocks can no longer be synchronised");
    }
}

std::string_view text_or_empty(const char* text) { return text == nullptr ? std::string_view() : text; }

} // namespace

const char* ictus_clock_error_text() { return error_text; }

int ictus_clock_create(MPI_Comm comm, const char* algorithm, const char* base, ictus_clock** clock) {
    return guarded([&] {
        if (clock == nullptr) {
            throw usage_error("ictus_clock_create: the pointer to the clock is NULL");
        }
        *clock = nullptr;
        require_intracommunicator(comm, "ictus_clock_create");
        auto made = std::make_unique<ictus_clock>();
        made->own = TracingClock::create(comm, text_or_empty(algorithm), text_or_empty(base));
        *clock = made.release();
    });
}

int ictus_clock_synchronise(ictus_clock* clock) {
    return guarded([&] {
        TracingClock& own = existing(clock);
        require_mpi();
        own.synchronise();
    });
}

int ictus_clock_reanchor(ictus_clock* clock) {
    return guarded([&] {
        TracingClock& own = existing(clock);
        require_mpi();
        own.reanchor();
    });
}

int ictus_clock_free(ictus_clock** clock) {
    return guarded([&] {
        if (clock != nullptr) {
            delete *clock;
            *clock = nullptr;
        }
    });
}

int64_t ictus_clock_ticks(const ictus_clock* clock) {
    return guarded_value(std::numeric_limits<int64_t>::min(), [&] { return existing(clock).ticks().count; });
}

double ictus_clock_global(const ictus_clock* clock, int64_t ticks) {
    return guarded_value(undefined, [&] { return existing(clock).global({ticks}).s; });
}

double ictus_clock_now(const ictus_clock* clock) {
    return guarded_value(undefined, [&] {
        const TracingClock& own = existing(clock);
        return own.global(own.ticks()).s;
    });
}

double ictus_clock_bound_at(const ictus_clock* clock, int64_t ticks) {
    return guarded_value(undefined, [&] { return existing(clock).bound({ticks}); });
}

double ictus_clock_bound(const ictus_clock* clock) {
    return guarded_value(undefined, [&] {
        const TracingClock& own = existing(clock);
        return own.bound(own.ticks());
    });
}

const char* ictus_clock_description(const ictus_clock* clock) {
    return guarded_value(static_cast<const char*>(nullptr), [&] { return existing(clock).description().c_str(); });
}
