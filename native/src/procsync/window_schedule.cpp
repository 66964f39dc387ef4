#include "procsync/window_schedule.hpp"

#include "base/error.hpp"
#include "base/summary.hpp"
#include "transport/control.hpp"

#include <string>
#include <vector>

namespace ictus::procsync {
namespace {

constexpr int latency_probes = 20;

} // namespace

void require_global_time(const ProcSyncContext& context, std::string_view member) {
    if (!context.synchronised) {
        throw usage_error("procsync '" + std::string(member) +
                          "' needs a global time, and clocksync is 'none'; use --clocksync ictus or procsync barrier");
    }
}

double broadcast_latency(const ProcSyncContext& context) {
    std::vector<double> latencies;
    for (int i = 0; i < latency_probes; ++i) {
        const GlobalTime sent = control::broadcast_value(context.transport, context.clock.now());
        latencies.push_back(context.clock.now() - sent);
    }
    return control::largest(context.transport, summarise(std::move(latencies)).median);
}

void gather_at_root(Transport& transport) {
    std::uint8_t arrived = 1;
    control::reduce(transport, std::span(&arrived, 1), [](std::uint8_t& into, std::uint8_t from) { into &= from; });
}

GlobalTime announce(const ProcSyncContext& context, double lead_s) {
    gather_at_root(context.transport);
    return control::broadcast_value(context.transport, context.clock.now() + lead_s);
}

} // namespace ictus::procsync
