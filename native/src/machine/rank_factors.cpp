#include "machine/rank_factors.hpp"

#include "machine/cpu_list.hpp"
#include "record/json.hpp"

namespace ictus::record {

RankFactors rank_factors(int rank, const std::string& host, const Snapshot& begin, const Snapshot& end) {
    RankFactors factors;
    factors.rank = rank;
    factors.host = host;
    factors.pid = end.pid;
    factors.cpu = end.cpu;
    if (end.cpus_allowed) {
        factors.cpus_allowed = format_cpu_list(*end.cpus_allowed);
    }
    if (begin.scheduler && end.scheduler) {
        factors.cpu_time_s = end.scheduler->cpu_time_s - begin.scheduler->cpu_time_s;
        factors.run_queue_delay_s = end.scheduler->run_queue_delay_s - begin.scheduler->run_queue_delay_s;
    }
    factors.elapsed_s = end.monotonic_s - begin.monotonic_s;
    if (begin.resources && end.resources) {
        factors.max_rss_bytes = end.resources->max_rss_bytes;
        factors.voluntary_switches = end.resources->voluntary_switches - begin.resources->voluntary_switches;
        factors.involuntary_switches = end.resources->involuntary_switches - begin.resources->involuntary_switches;
        factors.page_faults = end.resources->page_faults - begin.resources->page_faults;
    }
    return factors;
}

std::string to_json(const RankFactors& factors) {
    JsonWriter json;
    json.begin_object(JsonWriter::Layout::line);
    json.member("rank", factors.rank);
    json.member("host", factors.host);
    json.member("pid", factors.pid);
    json.member("epoch_ticks", factors.epoch_ticks);
    json.member("cpu", factors.cpu);
    json.member("cpus_allowed", factors.cpus_allowed);
    json.member("cpu_time_s", factors.cpu_time_s);
    json.member("run_queue_delay_s", factors.run_queue_delay_s);
    json.member("elapsed_s", factors.elapsed_s);
    json.member("max_rss_bytes", factors.max_rss_bytes);
    json.member("voluntary_switches", factors.voluntary_switches);
    json.member("involuntary_switches", factors.involuntary_switches);
    json.member("page_faults", factors.page_faults);
    json.member("keeps_freed_memory", factors.keeps_freed_memory);
    json.end_object();
    return json.take();
}

} // namespace ictus::record
