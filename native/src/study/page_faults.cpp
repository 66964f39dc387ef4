// Page faults of calls: which of them pay for memory anew each time, and so depend on what becomes of freed memory.
// Nothing is timed, so that others may use the machine meanwhile. Layout: file-format.md, page_faults.json.
#include "barrier/barrier.hpp"
#include "base/summary.hpp"
#include "machine/counters.hpp"
#include "measure/case_measurement.hpp"
#include "mpi/handles.hpp"
#include "study/study.hpp"
#include "transport/control.hpp"

#include <cstdlib>
#include <cstring>

namespace ictus {
namespace {

/// Calls before the counted ones: buffers that stay with the library are touched for the first time.
constexpr std::uint64_t calls_before = 5;

double faults_so_far() {
    const auto counters = machine::read_resource_counters();
    return counters ? static_cast<double>(counters->page_faults) : undefined;
}

/// The median over calls: a page that is touched once and for all belongs to none of them.
double median_faults(std::vector<double> faults) { return summarise(std::move(faults)).median; }

/// What the C library does with a large block: without faults it keeps it, and where that is the same in all states of
/// the heap, another allocator stands in its place.
double faults_of_a_block() {
    constexpr std::size_t bytes = 1 << 20;
    std::vector<double> faults;
    for (int round = 0; round < 5; ++round) {
        const double before = faults_so_far();
        void* volatile block = std::malloc(bytes);
        if (block != nullptr) {
            std::memset(block, round, bytes);
        }
        std::free(block);
        faults.push_back(faults_so_far() - before);
    }
    return median_faults(std::move(faults));
}

double faults_of_calls(LaunchContext& context, const CasePlan& plan, std::uint64_t n_calls) {
    Transport& transport = context.transport();
    const CallGroup& call_group = context.call_group(plan.communicator);
    const auto cache = cache::registry().make(plan.cache, context.cache_context());
    const auto barrier = barrier::make_own();
    const RootRotation rotation =
        make_rotation(call_group, plan, extent_of(plan, call_group.size), cache->area_bytes());
    std::vector<double> faults;
    for (std::uint64_t i = 0; i < calls_before + n_calls; ++i) {
        Operation& operation = rotation.of(i);
        cache->prepare(operation);
        auto call = operation.bind();
        barrier->wait(transport);
        const double before = faults_so_far();
        const int code = call();
        const double after = faults_so_far();
        mpi::check(code, ("a call whose page faults are counted, of " + title_of(plan) + ",").c_str());
        if (i >= calls_before) {
            faults.push_back(after - before);
        }
    }
    return median_faults(std::move(faults));
}

class PageFaultStudy final : public Study {
public:
    PageFaultStudy(const OptionValues&, const LaunchPlan& launch) : launch_(launch) {}

    void measure(LaunchContext& context) override {
        block_faults_ = control::largest(context.transport(), faults_of_a_block());
        for (const CasePlan& one : launch_.cases) {
            const double own = faults_of_calls(context, one, launch_.fault_calls);
            case_faults_.push_back(control::largest(context.transport(), own));
        }
    }

    void write(record::JsonWriter& json) const override {
        json.member("calls", launch_.fault_calls).member("block_faults", block_faults_);
        json.key("cases").begin_array();
        for (std::size_t i = 0; i < case_faults_.size(); ++i) {
            json.begin_object(record::JsonWriter::Spacing::line);
            json.member("case_id", std::uint64_t{launch_.cases[i].id}).member("page_faults", case_faults_[i]);
            json.end_object();
        }
        json.end_array();
    }

private:
    const LaunchPlan& launch_;
    double block_faults_ = 0.0; ///< of a block of 1 MiB that is taken, written and freed, on the rank with the most
    std::vector<double> case_faults_; ///< of a call, the median, on the rank with the most; by case of the plan
};

} // namespace

const StudyMember study::page_faults = {"", "", "", "page-faults", {}, make<PageFaultStudy>};

} // namespace ictus
