#include "measure/options.hpp"

#include "clocksync/clocksync.hpp"
#include "procsync/procsync.hpp"
#include "workload/cache.hpp"
#include "workload/communicator.hpp"
#include "workload/counts.hpp"
#include "workload/heap.hpp"
#include "workload/layout.hpp"
#include "workload/repetition.hpp"
#include "workload/scheme.hpp"

namespace ictus {
namespace {

constexpr Option launch_table[] = {
    option::ranks,
    option::count("seed", "1", "seed of the contents of the messages"),
    option::choice("heap", "kept",
                   "what happens to memory that the process frees: it is kept, large blocks are returned to the "
                   "system, or what the C library does by itself (ordinary)",
                   heap_names),
    option::count("page-faults", "0",
                  "count the page faults of this many calls of each case into page_faults.json, and time nothing; 0: "
                  "time the calls",
                  {.maximum = 1e6}),
    option::clock,
    option::clock_domain,
    option::member("clocksync", defaults::clocksync, "how all ranks agree on one global time", &clocksync::family),
    option::duration("clock-bound", "auto",
                     "synchronise until the error of every rank's clock is proven to be below this; short for "
                     "clocksync=ictus(bound=...)",
                     {1e-9, 1})
        .or_auto(),
    option::duration("clock-error", "auto",
                     "synchronise until the standard error of every rank's clock, 5 s later, is at most this; short "
                     "for clocksync=ictus(error=...)",
                     {1e-9, 1})
        .or_auto(),
    option::flag("validate", "on", "check the result of every case before it is timed"),
    option::flag("raw", "off", "keep every rank's stamps in raw.npy"),
    option::duration("block-time", "5s", "clocks are measured again after cases that together took this long",
                     {0, 1e6}),
    option::duration("resync-time", "60s", "clocks are synchronised again after this time", {0, 1e6}),
    option::text("output", "", "folder for launch.json and samples.npy; without it a table is printed"),
};

constexpr Option case_table[] = {
    option::count("id", "0", "case_id in the output; plans only", {.maximum = 4294967295.0}),
    option::text("op", "bcast,allreduce,alltoall", "operations").list().spelled("operation"),
    option::text("size", "8..64Ki",
                 "total volume in bytes of one process's largest buffer: 8, 64Ki, 8..64Ki, 8..64Ki*4, paper")
        .list()
        .spelled("sizes"),
    option::text("datatype", "double", "datatype of the elements"),
    option::text("operator", "sum", "operator of reductions"),
    option::member("comm", "world", "communicator: which ranks call together", &communicator::family).list(),
    option::count("root", "0",
                  "root of rooted operations, one of the ranks that call together; rotating: another one in each "
                  "repetition",
                  {.maximum = 1e7})
        .or_words("rotating")
        .list(),
    option::flag("in-place", "off", "MPI_IN_PLACE where the operation allows it").list(),
    option::member("layout", "basic", "how elements lie in memory, by derived datatypes", &layout::family).list(),
    option::member("counts", "equal", "how blocks differ in size, for operations with a size for each block",
                   &counts::family)
        .list(),
    option::member("procsync", "window", "how processes are started together", &procsync::family).list(),
    option::member("scheme", "per-call", "which calls are timed together, and how", &scheme::family),
    option::member("repetition", "fixed", "when a case has enough samples", &repetition::family),
    option::count("nrep", "1000", "short for repetition=fixed(nrep)", {1, 1e7}),
    option::member("cache", "warm", "the state of the caches at each start", &cache::family).list(),
    option::count("warmup", "20", "calls before the first sample", {1, 1e6}),
};

} // namespace

std::span<const Option> launch_options() { return launch_table; }
std::span<const Option> case_options() { return case_table; }

} // namespace ictus
