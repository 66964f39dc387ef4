#include "study/fault_count.hpp"

#include "barrier/barrier.hpp"
#include "base/summary.hpp"
#include "machine/counters.hpp"
#include "measure/case_measurement.hpp"
#include "mpi/handles.hpp"
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
    const auto barrier = barrier::registry().make(bind(barrier::family(), {"dissemination", {}}));
    const RootRotation rotation =
        make_rotation(call_group, plan, extent_of(plan, call_group.size), cache->area_bytes());
    std::vector<double> faults;
    for (std::uint64_t i = 0; i < calls_before + n_calls; ++i) {
        Operation& operation = rotation.of(i);
        cache->prepare(operation);
        auto call = operation.bind();
        barrier->wait(transport);
        const double before = faults_so_far();
        mpi::check(call(), "a call whose page faults are counted");
        const double after = faults_so_far();
        if (i >= calls_before) {
            faults.push_back(after - before);
        }
    }
    return median_faults(std::move(faults));
}

} // namespace

void FaultCount::measure(LaunchContext& context) {
    block_faults_ = control::largest(context.transport(), faults_of_a_block());
    for (const CasePlan& one : plan_.cases) {
        const double own = faults_of_calls(context, one, plan_.fault_calls);
        case_faults_.push_back(control::largest(context.transport(), own));
    }
}

void FaultCount::write(record::JsonWriter& json) const {
    json.member("calls", plan_.fault_calls).member("block_faults", block_faults_);
    json.key("cases").begin_array();
    for (std::size_t i = 0; i < case_faults_.size(); ++i) {
        json.begin_object(record::JsonWriter::Spacing::line);
        json.member("case_id", std::uint64_t{plan_.cases[i].id}).member("page_faults", case_faults_[i]).end_object();
    }
    json.end_array();
}

} // namespace ictus
