// The table of the stand-alone tool, whole, from samples whose statistics are seen at once.
#include "tool/table_sink.hpp"

#include "check.hpp"

#include <array>
#include <cmath>
#include <memory>

using namespace ictus;

namespace {

constexpr double us = 1e-6;

/// A file of our own that the table is written to and read back from.
class Written {
public:
    [[nodiscard]] std::FILE* file() const { return file_.get(); }

    [[nodiscard]] std::string text() const {
        std::rewind(file_.get());
        std::string all;
        std::array<char, 512> piece{};
        while (const std::size_t n = std::fread(piece.data(), 1, piece.size(), file_.get())) {
            all.append(piece.data(), n);
        }
        return all;
    }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Close> file_{std::tmpfile()};
};

record::SampleRecord sample(double makespan, double bound, std::uint16_t flags = 0) {
    record::SampleRecord one{};
    one.flags = flags;
    one.makespan = makespan;
    one.local_max = 0.5 * makespan;
    one.start_skew = 0.1 * us;
    one.clock_bound = bound;
    return one;
}

/// A case with three valid samples around `latency` and a late one that nothing may look at.
void take(tool::TableSink& sink, const char* operation, double latency, double bound) {
    record::CaseRecord one;
    one.operation = operation;
    one.size_bytes = 8;
    one.headline = "makespan";
    one.procsync = "window";
    one.cache = "warm";
    one.scheme = "per-call";
    one.attempted = 4;
    one.valid = 3;
    const record::SampleRecord samples[] = {sample(latency, bound), sample(2 * latency, bound / 2),
                                            sample(0.5 * latency, bound / 2), sample(latency, 1.0, 1)};
    sink.take_samples(one, samples);
    sink.take_case(one, {});
}

record::LaunchRecord launch() {
    record::LaunchRecord one;
    one.n_ranks = 2;
    one.elapsed_s = 1.5;
    one.mpi.library_version = "An MPI 1.0\nwith a second line";
    one.clock.spec = "tsc";
    one.clocksync.spec = "ictus";
    return one;
}

const std::string header = "# An MPI 1.0\n# 2 ranks, clock tsc, 1.50 s\n# clocksync ictus\n# procsync window\n"
                           "operation               bytes     valid  median     mean     min     max    skew\n";

} // namespace

TEST(a_median_under_ten_times_the_largest_bound_of_its_valid_samples_is_marked_and_explained) {
    const Written written;
    tool::TableSink sink(written.file());
    take(sink, "bcast", 2 * us, 0.201 * us);
    take(sink, "reduce", 2 * us, 0.2 * us);
    sink.finish(launch());
    CHECK_EQ(header + "bcast                       8       3/4 2.00 us† 2.33 us 1.00 us 4.00 us  100 ns\n"
                      "reduce                      8       3/4 2.00 us  2.33 us 1.00 us 4.00 us  100 ns\n"
                      "# † the median is less than ten times the proven error of the clocks\n",
             written.text());
}

TEST(why_samples_are_not_valid_is_told_where_some_are_not) {
    const Written written;
    tool::TableSink sink(written.file());
    record::CaseRecord one;
    one.operation = "bcast";
    one.size_bytes = 8;
    one.headline = "makespan";
    one.procsync = "window";
    one.cache = "warm";
    one.scheme = "per-call";
    one.attempted = one.n_late = 30;
    one.n_long = 12;
    sink.take_case(one, {});
    one.operation = "reduce";
    one.procsync = "barrier(linear)";
    one.cache = "warm";
    one.scheme = "loop(calls=10)";
    one.n_late = one.n_long = 0;
    one.valid = one.attempted = 1;
    const record::SampleRecord samples[] = {sample(2 * us, std::nan(""))};
    sink.take_samples(one, samples);
    sink.take_case(one, {});
    sink.finish(launch());
    CHECK_EQ("# An MPI 1.0\n# 2 ranks, clock tsc, 1.50 s\n# clocksync ictus\n# times are per call\n"
             "operation               bytes     valid  median     mean     min     max    skew    late    long"
             "  procsync  scheme\n"
             "bcast                       8      0/30      NA       NA      NA      NA      NA      30      12"
             "  window  per-call\n"
             "reduce                      8       1/1 2.00 us  2.00 us 2.00 us 2.00 us  100 ns       0       0"
             "  barrier(linear)  loop(calls=10)\n",
             written.text());
}

TEST(a_scheme_of_loops_is_named_once) {
    const Written written;
    tool::TableSink sink(written.file());
    record::CaseRecord one;
    one.headline = "makespan";
    one.procsync = "none";
    one.cache = "warm";
    one.scheme = "loop(calls=10)";
    sink.take_case(one, {});
    sink.finish(launch());
    CHECK(written.text().find("# scheme loop(calls=10): times are per call\n") != std::string::npos);
}

TEST(a_case_without_a_bound_is_not_marked_by_that_of_the_case_before) {
    const Written written;
    tool::TableSink sink(written.file());
    take(sink, "bcast", 20 * us, 1 * us);
    take(sink, "reduce", 2 * us, std::nan(""));
    sink.finish(launch());
    CHECK(written.text().find("†") == std::string::npos);
}
