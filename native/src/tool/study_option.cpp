#include "tool/study_option.hpp"

#include "base/error.hpp"
#include "clocksync/clocksync.hpp"
#include "offset/offset.hpp"
#include "procsync/procsync.hpp"
#include "tool/option.hpp"
#include "workload/repetition.hpp"

#include <algorithm>

namespace ictus::tool {
namespace {

using Type = Parameter::Type;

constexpr Option output = {{.name = "output",
                            .type = Type::text,
                            .default_value = "",
                            .help = "file for the JSON; without it standard output"}};

constexpr Option accuracy_table[] = {
    shared::ranks,
    shared::clock,
    shared::clock_domain,
    {{.name = "clocksync",
      .type = Type::member,
      .default_value = "hca3-offset,hca3,ictus",
      .help = "algorithms to judge",
      .family = &clocksync::family},
     {},
     true},
    {{.name = "waits",
      .type = Type::duration,
      .default_value = "0,1s,2s,3s,4s,5s,6s,7s,8s,9s,10s,11s,12s,13s,14s,15s,16s,17s,18s,19s,20s",
      .help =
          "times after each synchronisation at which the error is measured; known errors are computed without a wait",
      .minimum = 0,
      .maximum = 1e6},
     {},
     true},
    {{.name = "truth",
      .type = Type::choice,
      .default_value = "auto",
      .help = "auto: known where the ranks of one host or simulator read one counter, else ping-pong; known: the ranks "
              "are said to read one counter, whatever their hosts (verified); ping-pong: checked so in any case, "
              "beside what is known",
      .choices = "auto known ping-pong"}},
    {{.name = "rounds",
      .type = Type::count,
      .default_value = "10",
      .help = "ping-pong: rounds of a check, of which the smallest error counts",
      .minimum = 1,
      .maximum = 1e6}},
    {{.name = "round-gap",
      .type = Type::duration,
      .default_value = "0",
      .help = "ping-pong: pause between the rounds",
      .minimum = 0,
      .maximum = 3600}},
    {{.name = "exchanges",
      .type = Type::count,
      .default_value = "100",
      .help = "ping-pong: round trips of a round",
      .minimum = 1,
      .maximum = 1e6}},
    {{.name = "sample",
      .type = Type::real,
      .default_value = "1",
      .help = "ping-pong: share of the ranks that are checked, half from the middle and half from the high end; at "
              "least one rank",
      .minimum = 0,
      .maximum = 1}},
    {{.name = "repeats",
      .type = Type::count,
      .default_value = "1",
      .help = "how often each algorithm synchronises, each time in another order",
      .minimum = 1,
      .maximum = 1e6}},
    {{.name = "barriers",
      .type = Type::count,
      .default_value = "1000",
      .help = "calls of MPI_Barrier for the baseline",
      .maximum = 1e6}},
    {{.name = "seed", .type = Type::count, .default_value = "1", .help = "decides the order of the algorithms"}},
    output,
};

constexpr Option drift_table[] = {
    shared::ranks,
    shared::clock,
    {{.name = "offset",
      .type = Type::member,
      .default_value = "skampi",
      .help = "how each offset is estimated",
      .family = &offset::family}},
    {{.name = "duration",
      .type = Type::duration,
      .default_value = "100s",
      .help = "how long clocks are watched",
      .minimum = 0,
      .maximum = 1e6}},
    {{.name = "interval",
      .type = Type::duration,
      .default_value = "1s",
      .help = "time between two offsets of a rank",
      .minimum = 1e-6,
      .maximum = 1e6}},
    {{.name = "windows",
      .type = Type::duration,
      .default_value = "10s,100s",
      .help = "lengths over which straight lines are fitted, beside the whole",
      .minimum = 0,
      .maximum = 1e6},
     {},
     true},
    output,
};

constexpr Option rtt_table[] = {
    shared::ranks,
    shared::clock,
    {{.name = "of",
      .type = Type::text,
      .default_value = "auto",
      .help = "ranks whose pairs are measured, such as 0,1,4; auto: the lowest rank of each host, on one host all"}},
    {{.name = "exchanges",
      .type = Type::count,
      .default_value = "1000",
      .help = "round trips of each pair",
      .minimum = 2,
      .maximum = 1e6}},
    output,
};

constexpr Option frequency_table[] = {
    shared::ranks,
    {{.name = "durations",
      .type = Type::duration,
      .default_value = "10ms,100ms,1s",
      .help = "how long each calibration takes",
      .minimum = 1e-3,
      .maximum = 3600},
     {},
     true},
    {{.name = "repeats",
      .type = Type::count,
      .default_value = "10",
      .help = "calibrations of each duration, on each rank",
      .minimum = 1,
      .maximum = 1e6}},
    {{.name = "per-rank-repeats",
      .type = Type::count,
      .default_value = "1",
      .help = "calibrations by sleeping (calibrated-per-rank), each of four seconds or more",
      .maximum = 1e6}},
    output,
};

constexpr Option skew_table[] = {
    shared::ranks,
    shared::clock,
    shared::clock_domain,
    {{.name = "clocksync",
      .type = Type::member,
      .default_value = defaults::clocksync,
      .help = "how the clocks that time the exits are synchronised",
      .family = &clocksync::family}},
    {{.name = "procsync",
      .type = Type::member,
      .default_value = "barrier(library),barrier(dissemination)",
      .help = "what ranks enter together and leave, as a process synchronisation",
      .family = &procsync::family},
     {},
     true},
    {{.name = "entry",
      .type = Type::member,
      .default_value = "window(batch=1)",
      .help = "what brings the ranks to the common instant at which they enter",
      .family = &procsync::family}},
    {{.name = "entry-tolerance",
      .type = Type::duration,
      .default_value = "5us",
      .help = "ranks that entered further apart than this did not enter together: such an attempt is not counted",
      .minimum = 0,
      .maximum = 3600}},
    {{.name = "repetition",
      .type = Type::member,
      .default_value = "fixed(nrep=100)",
      .help = "how often each start is entered",
      .family = &repetition::family}},
    {{.name = "warmup",
      .type = Type::count,
      .default_value = "20",
      .help = "entries of each start that are not counted",
      .maximum = 1e6}},
    {{.name = "seed", .type = Type::count, .default_value = "1", .help = "decides the order of the starts"}},
    output,
};

constexpr Option overlap_table[] = {
    shared::ranks,
    shared::clock,
    shared::clock_domain,
    {{.name = "clocksync",
      .type = Type::member,
      .default_value = defaults::clocksync,
      .help = "how the clocks are synchronised by which ranks begin together",
      .family = &clocksync::family}},
    {{.name = "procsync",
      .type = Type::member,
      .default_value = "window(batch=1)",
      .help = "how ranks begin each repetition together",
      .family = &procsync::family}},
    {{.name = "op",
      .type = Type::text,
      .default_value = "iallreduce,ibcast,ialltoall",
      .help = "nonblocking and persistent operations"},
     {},
     true},
    {{.name = "size",
      .type = Type::text,
      .default_value = "1Ki,32Ki,1Mi",
      .help = "total volume in bytes of one process's largest buffer"},
     "sizes",
     true},
    {{.name = "datatype", .type = Type::text, .default_value = "double", .help = "datatype of the elements"}},
    {{.name = "operator", .type = Type::text, .default_value = "sum", .help = "operator of reductions"}},
    {{.name = "root", .type = Type::count, .default_value = "0", .help = "root of rooted operations", .maximum = 1e7}},
    {{.name = "compute",
      .type = Type::choice,
      .default_value = "time,work",
      .help = "what is computed meanwhile: until the clock says so, or a fixed amount of work",
      .choices = "time work"},
     {},
     true},
    {{.name = "intervals",
      .type = Type::size,
      .default_value = "none,64Ki,4Ki",
      .help = "bytes of the message from one progress call (MPI_Test) to the next; none: no progress calls",
      .minimum = 1,
      .maximum = 1e15,
      .choices = "none"},
     {},
     true},
    {{.name = "compute-factor",
      .type = Type::real,
      .default_value = "1",
      .help = "length of the computation in blocking times of the operation",
      .minimum = 1,
      .maximum = 1000}},
    {{.name = "progress-thread",
      .type = Type::choice,
      .default_value = "none",
      .help = "a thread of our own that has the library make progress meanwhile (MPI_THREAD_MULTIPLE)",
      .choices = "none own"}},
    {{.name = "progress-place",
      .type = Type::text,
      .default_value = "any",
      .help =
          "where that thread runs: same (its rank's CPU, which it shares), any, or CPUs, one for each rank of a host"}},
    {{.name = "progress-pause",
      .type = Type::duration,
      .default_value = "0",
      .help = "how long it sleeps between two calls",
      .minimum = 0,
      .maximum = 1}},
    {{.name = "nrep",
      .type = Type::count,
      .default_value = "100",
      .help = "valid repetitions of each run",
      .minimum = 1,
      .maximum = 1e6}},
    {{.name = "warmup",
      .type = Type::count,
      .default_value = "20",
      .help = "calls before the first that count, and as many that decide how long is computed",
      .minimum = 1,
      .maximum = 1e6}},
    {{.name = "validate", .type = Type::flag, .default_value = "on", .help = "check the result of every case first"}},
    {{.name = "seed", .type = Type::count, .default_value = "1", .help = "decides payloads and every order"}},
    {{.name = "phases", .type = Type::text, .default_value = "", .help = "file for all repetitions (phases.npy)"}},
    output,
};

constexpr StudyOptions table[] = {
    {"clocks", "accuracy", "the error of every rank's global clock at times after synchronising, per algorithm",
     accuracy_table},
    {"clocks", "drift", "local clocks against rank 0's over time", drift_table},
    {"clocks", "rtt", "round trips of each pair of hosts or ranks, and the offsets that they show", rtt_table},
    {"clocks", "frequency", "the stated frequency of the processor's counter against calibrated ones", frequency_table},
    {"barriers", "skew", "how far apart ranks leave a barrier, or any start, that they entered together", skew_table},
    {"overlap", "phases", "nonblocking operations that a computation overlaps, phase by phase", overlap_table},
};

} // namespace

std::span<const StudyOptions> study_options() { return table; }

bool is_topic(std::string_view topic) {
    return std::any_of(std::begin(table), std::end(table),
                       [&](const StudyOptions& study) { return study.topic == topic; });
}

const StudyOptions& find_study(std::string_view topic, std::string_view name) {
    std::string known;
    for (const StudyOptions& study : table) {
        if (study.topic != topic) {
            continue;
        }
        if (study.name == name) {
            return study;
        }
        known += (known.empty() ? "" : ", ") + std::string(study.name);
    }
    throw usage_error("unknown study of " + std::string(topic) + " '" + std::string(name) + "'; known are " + known);
}

} // namespace ictus::tool
