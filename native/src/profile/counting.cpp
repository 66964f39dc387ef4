// One call is counted: what it is, before it, for it may free what it names; then how long it took.
#include "interposition/call.hpp"
#include "profile/calls.hpp"
#include "profile/operators.hpp"
#include "profile/program.hpp"

#include <memory>

namespace ictus::profile {
namespace {

/// Of a call that may end started ones.
struct Completion {
    std::optional<StartedCall> ended;                 ///< what a wait waits for
    std::vector<std::pair<int, MPI_Request>> may_end; ///< started calls among its requests
};

/// What a call counts as.
struct DescribedCall {
    CallKey key;
    std::uint64_t bytes = 0;
    std::unique_ptr<Completion> completion; ///< null in most programs, which pay nothing for it
};

/// Fills `described`. Throws where there is no memory.
void describe(Profile& own, CallId call, const CallFacts& facts, const void* site, DescribedCall& described) {
    const KnownComm comm = own.handles.comm(facts.comm);
    const Volume volume = volume_of(call, facts, comm, own.handles);
    CallKey& key = described.key;
    key.call = static_cast<std::uint16_t>(call);
    key.op = number_of(facts.op);
    key.in_place = facts.send == MPI_IN_PLACE || facts.receive == MPI_IN_PLACE ? 1 : 0;
    key.communicator = facts.window == MPI_WIN_NULL ? comm.index : own.handles.window(facts.window);
    key.type = volume.type;
    key.root = facts.root == CallFacts::no_root ? -1 : facts.root;
    key.size_class = size_class_of(volume.bytes);
    key.site = reinterpret_cast<std::uint64_t>(interposition::outer_site(site));
    described.bytes = volume.bytes;
    if (is_completion(call) && own.started.any()) {
        described.completion = std::make_unique<Completion>();
        Completion& completion = *described.completion;
        completion.may_end = own.started.known(*facts.requests);
        if (call == CallId::Wait || call == CallId::Waitall) {
            completion.ended = own.started.only(*facts.requests);
        }
        if (completion.ended) { // a row of its own for what it waits for
            const std::uint64_t from = key.site;
            key = completion.ended->key;
            key.ended = key.call + 1U;
            key.call = static_cast<std::uint16_t>(call);
            key.site = from;
            described.bytes = completion.ended->bytes;
        }
    }
    if (call == CallId::Win_free) {
        Handles::forget_windows();
    }
}

/// Behind the call. Throws where there is no memory to know it when it ends.
void note_started(Profile& own, CallId call, const DescribedCall& described, const Sampled& sampled,
                  const CallFacts& facts, Ticks began, Ticks ended) {
    if (is_nonblocking(call) || is_persistent(call)) {
        if (sampled.stream != Arrivals::none) {
            own.started.add((*facts.requests)[0], {described.key, described.bytes, sampled, is_persistent(call)});
        }
    } else if ((call == CallId::Start || call == CallId::Startall) && own.started.any()) {
        for (int i = 0; i < facts.requests->n; ++i) {
            if (const auto one = own.started.start((*facts.requests)[i])) {
                own.counters.arrive(one->sampled, one->number(), began, ended);
            }
        }
    }
}

void count(Profile& own, CallId call, const DescribedCall& described, const CallFacts& facts, Ticks began,
           Ticks ended) noexcept {
    const Sampled sampled = own.counters.count(described.key, described.bytes, began, ended);
    try {
        note_started(own, call, described, sampled, facts, began, ended);
    } catch (const std::exception&) { // what it waits for is not known
    }
    if (described.completion == nullptr) {
        return;
    }
    if (const auto& waited = described.completion->ended) {
        own.counters.end(waited->sampled, waited->number(), sampled.row, began, ended);
    }
    if (!described.completion->may_end.empty()) {
        own.started.forget_ended(*facts.requests, described.completion->may_end);
    }
}

} // namespace
} // namespace ictus::profile

using namespace ictus;

int interposition::take(CallId call, const CallFacts& facts, const void* site,
                        const LibraryCall& library_call) noexcept {
    profile::Profile* const own = profile::current.load(std::memory_order_acquire);
    if (own == nullptr) {
        return library_call();
    }
    const OwnCallsScope scope;
    if (call == CallId::Request_free) {
        if (own->started.any()) {
            own->started.forget((*facts.requests)[0]);
        }
        return library_call();
    }
    profile::DescribedCall described;
    try {
        profile::describe(*own, call, facts, site, described);
    } catch (const std::exception&) { // no memory: the program goes on, this call is not counted
        return library_call();
    }
    const Ticks began = profile::now();
    const int code = library_call();
    const Ticks ended = profile::now();
    if (profile::current.load(std::memory_order_acquire) != nullptr) { // another thread may have ended it
        profile::count(*own, call, described, facts, began, ended);
    }
    return code;
}
