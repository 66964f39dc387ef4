#include "redirect/redirection.hpp"

#include "base/error.hpp"
#include "interposition/program.hpp"
#include "mpi/agreement.hpp"
#include "mpi/foreign_communicator.hpp"
#include "mpi/handles.hpp"
#include "record/file.hpp"
#include "redirect/report.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace ictus::redirect {
namespace {

/// The report belongs to the world that spawned this one.
RedirectSettings without_report(RedirectSettings settings) {
    settings.report.clear();
    return settings;
}

std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) {
        throw usage_error("variable 'ICTUS_REDIRECT_PROFILE': '" + path + "' cannot be read");
    }
    return text.str();
}

/// A file, or those of a folder that are named as PGMPITuneLib's are, in the order of their names.
std::vector<ProfileText> read_sources(const std::string& path) {
    std::vector<ProfileText> sources;
    if (!std::filesystem::is_directory(path)) {
        sources.push_back({path, read_file(path)});
        return sources;
    }
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
        if (entry.path().extension() == ".prf") {
            names.insert(entry.path().string());
        }
    }
    for (const std::string& name : names) {
        sources.push_back({name, read_file(name)});
    }
    if (sources.empty()) {
        throw usage_error("variable 'ICTUS_REDIRECT_PROFILE': there is no *.prf in '" + path + "'");
    }
    return sources;
}

/// Rank 0's files: the others may see other ones, or none.
Profile read_profile(const mpi::Communicator& world, const std::string& path) {
    const auto own = mpi::agreed(world.handle(),
                                 [&] { return world.rank() == 0 ? read_sources(path) : std::vector<ProfileText>(); });
    std::vector<ProfileText> sources(std::stoul(mpi::text_of_root(world.handle(), std::to_string(own.size()))));
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const ProfileText& mine = i < own.size() ? own[i] : sources[i];
        const std::string name = mpi::text_of_root(world.handle(), mine.name);
        sources[i] = {name, mpi::text_of_root(world.handle(), mine.text)};
    }
    return mpi::agreed(world.handle(), [&] { return parse_profiles(sources); });
}

bool commutes(MPI_Op op) {
    if (is_predefined(op)) {
        return true;
    }
    int yes = 0;
    mpi::check(MPI_Op_commutative(op, &yes), "MPI_Op_commutative");
    return yes != 0;
}

bool may_call_at_once() {
    int provided = MPI_THREAD_SINGLE;
    mpi::check(MPI_Query_thread(&provided), "MPI_Query_thread");
    return provided == MPI_THREAD_MULTIPLE;
}

/// A message in bytes, as all ranks count it.
mockup::Arguments in_bytes(mockup::Arguments a) {
    a.count = static_cast<int>(static_cast<std::size_t>(a.result_count) * a.result_units.size_bytes);
    a.result_count = a.count;
    a.units = a.result_units = mockup::Units::bytes();
    return a;
}

/// MPI_Bcast's ranks may count and lay out the same message differently: bytes they have in common.
int run_bcast(const mockup::Algorithm& algorithm, const mockup::Arguments& a, Workspace& space) {
    mockup::Arguments bytes = in_bytes(a);
    const bool is_plain = a.result_units.is_plain;
    if (!is_plain) {
        bytes.result = space.staging(static_cast<std::size_t>(bytes.count));
    }
    int code = MPI_SUCCESS;
    if (!is_plain && a.is_root()) {
        code = mockup::pack(bytes.result, {a.result, a.result_count, a.result_units}, a.comm);
    }
    if (code == MPI_SUCCESS) {
        code = algorithm.call(bytes, space.prepare(algorithm.needs(bytes)));
    }
    return code == MPI_SUCCESS && !is_plain && !a.is_root()
               ? mockup::unpack({a.result, a.result_count, a.result_units}, bytes.result, a.comm)
               : code;
}

} // namespace

Redirection::Redirection(const RedirectSettings& settings)
    : settings_(mpi::is_spawned() ? without_report(settings) : settings),
      world_(mpi::Communicator::without_attributes(MPI_COMM_WORLD)), profile_(read_profile(world_, settings_.profile)),
      plugged_(mpi::agreed(world_.handle(),
                           [&] { return std::make_unique<PluggedOperations>(profile_, settings_.plugins); })),
      account_(profile_.reroutes.size(), may_call_at_once()), began_s_(MPI_Wtime()),
      library_version_(interposition::library_version()) {
    interposition::require_common(world_, settings_.n_ranks,
                                  "ICTUS_REDIRECT_LIMIT=" + std::to_string(settings_.limit_bytes));
    mpi::agreed(world_.handle(), [&] {
        if (world_.rank() == 0) {
            tell({}, std::nan("")); // what cannot be written is known before the program has computed for hours
        }
        return true;
    });
    static_cast<void>(communicator_profile(MPI_COMM_WORLD));
}

/// Reads the attribute from MPI only where the last call of this thread was on another communicator.
const CommunicatorProfile& Redirection::communicator_profile(MPI_Comm comm) {
    struct LastLookup {
        MPI_Comm comm = MPI_COMM_NULL;
        const CommunicatorProfile* communicator = nullptr;
        std::uint64_t generation = 0;
    };
    thread_local LastLookup last;
    const std::uint64_t generation = CommunicatorProfile::generation();
    if (last.comm == comm && last.generation == generation) {
        return *last.communicator;
    }
    AttachedValue* there = attribute_.find(comm);
    if (there == nullptr) {
        auto made = std::make_unique<CommunicatorProfile>(comm, profile_);
        there = made.get();
        attribute_.attach(comm, std::move(made));
    }
    last = {comm, static_cast<const CommunicatorProfile*>(there), generation};
    return *last.communicator;
}

/// `n_bytes` is set where the disposition depends on it.
Disposition Redirection::disposition_of(const CollectiveCall& call, const CommunicatorProfile& communicator,
                                        std::uint64_t& n_bytes) const {
    if (const Disposition any = communicator.disposition(call.which); any != Disposition::rerouted) {
        return any;
    }
    const CollectiveTraits traits = traits_of(call.which);
    if (call.count < 0 || call.type == MPI_DATATYPE_NULL || (traits.reduces && call.op == MPI_OP_NULL) ||
        (traits.rooted && (call.root < 0 || call.root >= communicator.n_ranks()))) {
        return Disposition::refused;
    }
    const auto size = mockup::Units::of(call.type).size_bytes;
    const auto count = static_cast<std::uint64_t>(call.count);
    const auto n_blocks = static_cast<std::uint64_t>(traits.in_blocks ? communicator.n_ranks() : 1);
    if (size == 0 || count == 0) {
        return Disposition::empty;
    }
    // Large counts times anything may be beyond 64 bits; a division takes as long as ten multiplications.
    const bool is_beyond =
        __builtin_mul_overflow(count, n_blocks, &n_bytes) || __builtin_mul_overflow(n_bytes, size, &n_bytes);
    return is_beyond || n_bytes > settings_.limit_bytes ? Disposition::too_large : Disposition::rerouted;
}

std::optional<Redirection::RerouteChoice> Redirection::choose(const CollectiveCall& call) {
    if (call.comm == MPI_COMM_NULL) {
        account_.pass(call.which, Disposition::refused);
        return std::nullopt;
    }
    const CommunicatorProfile& communicator = communicator_profile(call.comm);
    const bool reduces = traits_of(call.which).reduces;
    std::uint64_t n_bytes = 0;
    CommunicatorProfile::RerouteDecision answer{disposition_of(call, communicator, n_bytes), 0};
    if (answer.disposition == Disposition::rerouted) {
        answer = communicator.answer(call.which, n_bytes);
    }
    if (answer.disposition == Disposition::rerouted && reduces && !commutes(call.op)) {
        answer.disposition = Disposition::not_commutative;
    }
    if (answer.disposition == Disposition::rerouted && reduces && profile_.reroutes[answer.line].mockup == nullptr &&
        !PluggedOperations::can_reduce(call.type, call.op)) {
        answer.disposition = Disposition::not_predefined;
    }
    if (answer.disposition != Disposition::rerouted) {
        account_.pass(call.which, answer.disposition);
        return std::nullopt;
    }
    account_.reroute(call.which, answer.line, n_bytes);
    return RerouteChoice{&communicator, call.which, answer.line};
}

int Redirection::run(const RerouteChoice& choice, const mockup::Arguments& arguments) {
    const Workspaces::Lease space(workspaces_);
    const Reroute& reroute = profile_.reroutes[choice.line];
    if (reroute.mockup == nullptr) {
        return plugged_->run(choice.line, reroute.operation, arguments, *space);
    }
    const mockup::Algorithm& algorithm = *reroute.mockup;
    if (choice.which == CollectiveKind::bcast) {
        return run_bcast(algorithm, arguments, *space);
    }
    return algorithm.call(arguments, space->prepare(algorithm.needs(arguments)));
}

void Redirection::finish() {
    const CallCounts counts = account_.gather(world_.handle(), workspaces_.n_bytes());
    if (world_.rank() == 0) {
        tell(counts, MPI_Wtime() - began_s_);
    }
}

void Redirection::tell(const CallCounts& counts, double elapsed_s) {
    RedirectReport report{settings_, profile_, counts, world_.size(), library_version_, elapsed_s};
    if (!std::isnan(elapsed_s)) {
        report.not_covered = imported_calls();
    }
    if (!settings_.report.empty()) {
        record::write_text_file_of("ICTUS_REDIRECT_REPORT", settings_.report, as_json(report));
    } else if (!std::isnan(elapsed_s)) {
        for (const std::string& line : as_lines(report)) {
            interposition::say(line);
        }
    }
}

} // namespace ictus::redirect
