#include "preload/replacement.hpp"

#include "base/error.hpp"
#include "interposition/program.hpp"
#include "mpi/agreement.hpp"
#include "mpi/foreign_communicator.hpp"
#include "mpi/handles.hpp"
#include "preload/exit_skew.hpp"
#include "preload/report.hpp"
#include "preload/settings.hpp"
#include "record/file.hpp"

#include <algorithm>
#include <cmath>

namespace ictus::preload {
namespace {

constexpr std::uint64_t logged_at_once = 64; // communicators whose logs may fill up: bounds the memory of all logs
constexpr std::size_t told_apart = 1024;     // communicators of one process

/// A communicator that the library synchronises.
class UnreplacedCommunicator final : public AttachedValue {};

/// The files belong to the world that spawned this one.
PreloadSettings without_files(PreloadSettings settings) {
    settings.log.clear();
    settings.report.clear();
    return settings;
}

} // namespace

Replacement::Replacement(const PreloadSettings& settings)
    : settings_(mpi::is_spawned() ? without_files(settings) : settings),
      world_(mpi::Communicator::without_attributes(MPI_COMM_WORLD)), began_s_(MPI_Wtime()),
      library_version_(interposition::library_version()) {
    earlier_.creator = together;
    interposition::require_common(world_, settings_.n_ranks, fingerprint(settings_));
    if (!settings_.log.empty()) {
        clock_ = TracingClock::create(world_.handle(), "", settings_.clock);
    }
    mpi::agreed(world_.handle(), [&] {
        if (world_.rank() == 0) {
            if (!settings_.log.empty()) {
                interposition::make_folder("ICTUS_PRELOAD_LOG", settings_.log);
            }
            tell({}, std::nan("")); // what cannot be written is known before the program has computed for hours
        }
        return true;
    });
    // Made now, so that the first barrier takes no longer than the others. A procsync that cannot start all processes
    // of the program is an error; but a spawned world may be smaller than the one that the variables were meant for.
    if (mpi::is_spawned()) {
        take_on(MPI_COMM_WORLD);
    } else {
        create(MPI_COMM_WORLD);
    }
}

void Replacement::barrier(MPI_Comm comm) {
    AttachedValue* const there = attribute_.find(comm);
    if (auto* const stand_in = dynamic_cast<StandIn*>(there != nullptr ? there : &take_on(comm))) {
        stand_in->wait();
    } else {
        leave(comm);
    }
}

/// All processes decide alike, without a message.
AttachedValue& Replacement::take_on(MPI_Comm comm) {
    if (is_within_reach(comm, settings_)) {
        return create(comm);
    }
    auto mark = std::make_unique<UnreplacedCommunicator>();
    UnreplacedCommunicator& left = *mark;
    attribute_.attach(comm, std::move(mark));
    return left;
}

void Replacement::leave(MPI_Comm comm) {
    {
        const std::scoped_lock turn(turn_);
        ++left_;
    }
    mpi::check(PMPI_Barrier(comm), "MPI_Barrier");
}

StandIn& Replacement::create(MPI_Comm comm) {
    std::uint64_t number = 0;
    bool has_room = false;
    {
        const std::scoped_lock turn(turn_);
        number = created_++;
        has_room =
            room_taken_ + settings_.log_limit <= logged_at_once * settings_.log_limit && past_.size() < told_apart;
    }
    auto made = std::make_unique<StandIn>(comm, settings_, clock_.get(), number, has_room);
    StandIn& stand_in = *made;
    attribute_.attach(comm, std::move(made));
    const std::scoped_lock turn(turn_);
    room_taken_ += stand_in.exits().room();
    present_.push_back(&stand_in);
    stand_in.belong_to(this);
    return stand_in;
}

void Replacement::retire(StandIn& stand_in) noexcept {
    const std::scoped_lock turn(turn_);
    present_.erase(std::remove(present_.begin(), present_.end(), &stand_in), present_.end());
    RetiredCommunicator past{stand_in.tally(), stand_in.take_exits()};
    room_taken_ -= past.exits.room();
    past.exits.close();
    room_taken_ += past.exits.room();
    if (past.exits.kept() > 0 || past_.size() < told_apart) {
        past_.push_back(std::move(past));
    } else {
        add_together(earlier_, past.tally);
    }
}

StandIn* Replacement::first_present() {
    const std::scoped_lock turn(turn_);
    const auto first = std::min_element(present_.begin(), present_.end(),
                                        [](const StandIn* a, const StandIn* b) { return a->order() < b->order(); });
    return first != present_.end() ? *first : nullptr;
}

/// Retires communicators that the program has not freed, in one order on all processes. MPI_Finalize would be too late:
/// SimGrid's allows no further calls. Returns the error text, for the other ranks still wait for what follows.
std::string Replacement::retire_all() {
    std::string failure;
    while (StandIn* const first = first_present()) {
        try {
            attribute_.remove(first->program_comm()); // which ends in retire
        } catch (const Error& error) {
            failure = error.what();
        }
        if (first_present() == first) { // it hangs there for ever, but counts
            first->belong_to(nullptr);
            retire(*first);
        }
    }
    return failure;
}

void Replacement::finish() {
    const std::string failure = retire_all();
    if (clock_) {
        clock_->synchronise(); // exits lie between two measurements of the clocks, not behind one
    }
    std::vector<Tally> tallies;
    std::vector<const ExitLog*> logs;
    for (const RetiredCommunicator& past : past_) {
        tallies.push_back(past.tally);
        logs.push_back(&past.exits);
    }
    const ExitLog none(0);
    if (earlier_.calls > 0) {
        tallies.push_back(earlier_);
        logs.push_back(&none);
    }
    const BarrierAccount account = gather_account(world_.handle(), tallies, left_);
    if (clock_) {
        write_exits(world_.handle(), *clock_, logs, account, settings_.log + "/exits.npy");
    }
    if (world_.rank() == 0) {
        tell(account, MPI_Wtime() - began_s_);
    }
    if (!failure.empty()) {
        throw measurement_error(failure);
    }
}

void Replacement::tell(const BarrierAccount& account, double elapsed_s) const {
    const BarrierReport report{settings_, account, world_.size(), library_version_, clock_ ? clock_->description() : "",
                               elapsed_s};
    if (!settings_.log.empty()) {
        record::write_text_file_of("ICTUS_PRELOAD_LOG", settings_.log + "/preload.json", as_json(report));
    }
    if (!settings_.report.empty()) {
        record::write_text_file_of("ICTUS_PRELOAD_REPORT", settings_.report, as_json(report));
    }
    if (settings_.report.empty() && !std::isnan(elapsed_s)) {
        for (const std::string& line : as_lines(report)) {
            interposition::say(line);
        }
    }
}

} // namespace ictus::preload
