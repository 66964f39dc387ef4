#include "tool/option.hpp"

#include "base/defaults.hpp"
#include "base/error.hpp"
#include "clocksync/clocksync.hpp"
#include "procsync/procsync.hpp"
#include "workload/cache.hpp"
#include "workload/communicator.hpp"
#include "workload/counts.hpp"
#include "workload/heap.hpp"
#include "workload/layout.hpp"
#include "workload/repetition.hpp"
#include "workload/scheme.hpp"

namespace ictus::tool {
namespace {

using Type = Parameter::Type;

constexpr Option launch_table[] = {
    shared::ranks,
    {{.name = "seed", .type = Type::count, .default_value = "1", .help = "seed of the contents of the messages"}},
    {{.name = "heap",
      .type = Type::choice,
      .default_value = "kept",
      .help = "what happens to memory that the process frees: it is kept, large blocks are returned to the system, or "
              "what the C library does by itself (ordinary)",
      .choices = heap_names}},
    {{.name = "page-faults",
      .type = Type::count,
      .default_value = "0",
      .help = "count the page faults of this many calls of each case into page_faults.json, and time nothing; 0: time "
              "the calls",
      .maximum = 1e6}},
    shared::clock,
    shared::clock_domain,
    {{.name = "clocksync",
      .type = Type::member,
      .default_value = defaults::clocksync,
      .help = "how all ranks agree on one global time",
      .family = &clocksync::family}},
    {{.name = "clock-bound",
      .type = Type::duration,
      .default_value = "auto",
      .help = "synchronise until the error of every rank's clock is proven to be below this; short for "
              "clocksync=ictus(bound=...)",
      .minimum = 1e-9,
      .maximum = 1,
      .allows_auto = true}},
    {{.name = "validate",
      .type = Type::flag,
      .default_value = "on",
      .help = "check the result of every case before it is timed"}},
    {{.name = "raw", .type = Type::flag, .default_value = "off", .help = "keep every rank's stamps in raw.npy"}},
    {{.name = "block-time",
      .type = Type::duration,
      .default_value = "5s",
      .help = "clocks are measured again after cases that together took this long",
      .minimum = 0,
      .maximum = 1e6}},
    {{.name = "resync-time",
      .type = Type::duration,
      .default_value = "60s",
      .help = "clocks are synchronised again after this time",
      .minimum = 0,
      .maximum = 1e6}},
    {{.name = "output",
      .type = Type::text,
      .default_value = "",
      .help = "folder for launch.json and samples.npy; without it a table is printed"}},
};

constexpr Option case_table[] = {
    {{.name = "id",
      .type = Type::count,
      .default_value = "0",
      .help = "case_id in the output; plans only",
      .maximum = 4294967295.0}},
    {{.name = "op", .type = Type::text, .default_value = "bcast,allreduce,alltoall", .help = "operations"},
     "operation",
     true},
    {{.name = "size",
      .type = Type::text,
      .default_value = "8..64Ki",
      .help = "total volume in bytes of one process's largest buffer: 8, 64Ki, 8..64Ki, 8..64Ki*4, paper"},
     "sizes",
     true},
    {{.name = "datatype", .type = Type::text, .default_value = "double", .help = "datatype of the elements"}},
    {{.name = "operator", .type = Type::text, .default_value = "sum", .help = "operator of reductions"}},
    {{.name = "comm",
      .type = Type::member,
      .default_value = "world",
      .help = "communicator: which ranks call together",
      .family = &communicator::family},
     {},
     true},
    {{.name = "root",
      .type = Type::count,
      .default_value = "0",
      .help =
          "root of rooted operations, one of the ranks that call together; rotating: another one in each repetition",
      .maximum = 1e7,
      .choices = "rotating"},
     {},
     true},
    {{.name = "in-place",
      .type = Type::flag,
      .default_value = "off",
      .help = "MPI_IN_PLACE where the operation allows it"},
     {},
     true},
    {{.name = "layout",
      .type = Type::member,
      .default_value = "basic",
      .help = "how elements lie in memory, by derived datatypes",
      .family = &layout::family},
     {},
     true},
    {{.name = "counts",
      .type = Type::member,
      .default_value = "equal",
      .help = "how blocks differ in size, for operations with a size for each block",
      .family = &counts::family},
     {},
     true},
    {{.name = "procsync",
      .type = Type::member,
      .default_value = "window",
      .help = "how processes are started together",
      .family = &procsync::family},
     {},
     true},
    {{.name = "scheme",
      .type = Type::member,
      .default_value = "per-call",
      .help = "which calls are timed together, and how",
      .family = &scheme::family}},
    {{.name = "repetition",
      .type = Type::member,
      .default_value = "fixed",
      .help = "when a case has enough samples",
      .family = &repetition::family}},
    {{.name = "nrep",
      .type = Type::count,
      .default_value = "1000",
      .help = "short for repetition=fixed(nrep)",
      .minimum = 1,
      .maximum = 1e7}},
    {{.name = "cache",
      .type = Type::member,
      .default_value = "warm",
      .help = "the state of the caches at each start",
      .family = &cache::family},
     {},
     true},
    {{.name = "warmup",
      .type = Type::count,
      .default_value = "20",
      .help = "calls before the first sample",
      .minimum = 1,
      .maximum = 1e6}},
};

std::string known_names(std::span<const Option> options) {
    std::string names;
    for (const Option& option : options) {
        names += (names.empty() ? "" : ", ") + std::string(option.declaration.name);
    }
    return names;
}

void check(const Option& option, std::string_view value, const std::string& where) {
    const std::string what = where + " '" + std::string(option.declaration.name) + "'";
    if (!option.is_list || option.declaration.type == Type::text) {
        return check_value(option.declaration, value, what);
    }
    for (const std::string& part : split_list(value)) {
        check_value(option.declaration, part, what);
    }
}

} // namespace

std::span<const Option> launch_options() { return launch_table; }
std::span<const Option> case_options() { return case_table; }

const Option* find_option(std::span<const Option> options, std::string_view name) {
    for (const Option& option : options) {
        if (option.declaration.name == name || (!option.alias.empty() && option.alias == name)) {
            return &option;
        }
    }
    return nullptr;
}

void OptionValues::set(std::span<const Option> options, std::string_view name, std::string_view value,
                       const std::string& where) {
    const Option* option = find_option(options, name);
    if (option == nullptr) {
        throw usage_error("unknown " + where + " '" + std::string(name) + "'; known are " + known_names(options));
    }
    if (has(option->declaration.name)) {
        throw usage_error(where + " '" + std::string(name) + "' is given twice");
    }
    check(*option, value, where);
    given_.emplace_back(option->declaration.name, value);
}

bool OptionValues::has(std::string_view name) const {
    for (const auto& [known, value] : given_) {
        if (known == name) {
            return true;
        }
    }
    return false;
}

std::string OptionValues::value(std::span<const Option> options, std::string_view name) const {
    for (const auto& [known, value] : given_) {
        if (known == name) {
            return value;
        }
    }
    const Option* option = find_option(options, name);
    if (option == nullptr) {
        throw measurement_error("the undeclared option '" + std::string(name) + "' was requested");
    }
    return std::string(option->declaration.default_value);
}

std::string help_of(std::span<const Option> options) {
    std::string text;
    for (const Option& option : options) {
        const Parameter& declaration = option.declaration;
        std::string line = "  --" + std::string(declaration.name) + (option.is_list ? " A,B,..." : "");
        line.resize(std::max<std::size_t>(line.size() + 1, 24), ' ');
        text += line + std::string(declaration.help);
        if (!declaration.default_value.empty()) {
            text += " (" + std::string(declaration.default_value) + ")";
        }
        text += '\n';
    }
    return text;
}

std::string help_text() {
    return "ictus-bench measures MPI collectives. Start it with the launcher of the MPI library that it was built "
           "for:\n"
           "  mpirun -n 16 ictus-bench --op bcast,allreduce --sizes 8..1Mi\n"
           "  ictus-bench --plan FILE        the cases that Ictus writes for it\n"
           "  ictus-bench clocks STUDY ...   accuracy, drift or frequency of clocks, as JSON; clocks STUDY --help\n"
           "  ictus-bench --plugin FILE ...  any of these with the operations of a library (ictus/operation.h)\n"
           "  ictus-bench describe           all families, members, parameters and options, as JSON\n"
           "  ictus-bench availability       which operations the library has, as JSON\n"
           "  ictus-bench mpi-version        what the MPI library says of itself, as JSON\n"
           "  ictus-bench cvars              the library's control variables (MPI_T), as JSON\n"
           "  ictus-bench dims --up-to P     MPI_Dims_create's factors of all numbers up to P, as JSON\n"
           "  ictus-bench cvar-choices       the values that each takes, where the library lists them, as JSON\n"
           "Options of the launch (defaults in parentheses):\n" +
           help_of(launch_options()) + "Options of the cases; lists are combined with each other:\n" +
           help_of(case_options());
}

} // namespace ictus::tool
