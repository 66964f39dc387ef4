#include "redirect/plugged_calls.hpp"

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "interposition/program.hpp"
#include "mpi/fortran_handles.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

namespace ictus::redirect {
namespace {

constexpr const char* files_variable = "variable 'ICTUS_REDIRECT_PLUGINS'";

struct NamedFile {
    std::string path;
    std::string sha256;
};

std::vector<NamedFile> named_files(const std::string& text) {
    std::vector<NamedFile> found;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(':', begin), text.size());
        const std::string path = text.substr(begin, end - begin);
        begin = end + 1;
        std::ifstream file(path, std::ios::binary);
        std::ostringstream content;
        content << file.rdbuf();
        if (!file) {
            throw usage_error(std::string(files_variable) + ": '" + path + "' cannot be read");
        }
        found.push_back({path, sha256(content.str())});
    }
    return found;
}

const NamedFile& file_of(const PluginLine& line, const std::vector<NamedFile>& files) {
    const auto found = std::ranges::find(files, line.sha256, &NamedFile::sha256);
    if (found != files.end()) {
        return *found;
    }
    std::string there;
    for (const NamedFile& one : files) {
        there += (there.empty() ? "" : ", ") + quoted(one.path) + " (" + one.sha256.substr(0, 12) + "...)";
    }
    throw usage_error("the profile names operation " + quoted(line.name) + " of a plug-in with SHA-256 " +
                      line.sha256.substr(0, 12) + "..., which was " + quoted(line.path) + ", and " + files_variable +
                      (there.empty() ? " is not set" : " names " + there) + ": name that file there if you trust it");
}

/// The operation of a library that a profile names.
plugin::Declaration declaration_of(const plugin::Library& library, const PluginLine& line) {
    std::vector<plugin::Declaration> all = plugin::declarations(library);
    const auto found =
        std::ranges::find_if(all, [&](const plugin::Declaration& one) { return one.operation->name == line.name; });
    if (found == all.end() || found->operation->stands_for != line.operation) {
        throw plugin::wrong(library.path, "has no operation " + quoted(line.name) + " that stands for " +
                                              std::string(line.operation));
    }
    if (found->operation->allocate != nullptr) {
        throw plugin::wrong(library.path,
                            quoted(line.name) +
                                " needs its buffers in memory of its own, and the buffers of a program are not there");
    }
    return std::move(*found); // not a copy: its parameters refer to its texts
}

/// The values of the parameters that a line gives, and the defaults of the others.
std::vector<long long> values_of(const plugin::Declaration& declaration, const std::string& substitute) {
    const MemberInfo member{declaration.operation->name, "", "", declaration.parameters};
    const Bound bound = bind(FamilyInfo{"operation", "", {&member}}, parse_spec(substitute));
    std::vector<long long> values;
    for (const Parameter& one : declaration.parameters) {
        values.push_back(static_cast<long long>(bound.count(one.name)));
    }
    return values;
}

/// An operation as it was created for calls that are alike.
class CreatedOperation {
public:
    CreatedOperation(const PluggedLine& line, const PluggedCall& call, MPI_Comm own) : call_(call), line_(line) {
        ictus_operation_site site{};
        site.count = call.count;
        site.values = line_.values.data();
        site.root = call.root;
        site.comm = own;
        site.datatype = call.type;
        site.op = call.op;
        site.comm_f = MPI_Comm_c2f(own);
        site.datatype_f = MPI_Type_c2f(call.type);
        site.op_f = MPI_Op_c2f(call.op);
        mpi::check(line_.operation->create(&site, &state_), "create of a plug-in");
    }
    ~CreatedOperation() { (void)line_.operation->destroy(state_); }
    CreatedOperation(const CreatedOperation&) = delete;
    CreatedOperation& operator=(const CreatedOperation&) = delete;

    [[nodiscard]] bool serves(const PluggedCall& call) const {
        return call.line == call_.line && call.count == call_.count && call.root == call_.root &&
               call.type == call_.type && call.op == call_.op;
    }
    [[nodiscard]] int run(const PluggedCall& call) const {
        return line_.operation->call(state_, call.send, call.receive);
    }

private:
    PluggedCall call_;
    PluggedLine line_; ///< a copy: communicators are freed after the redirection
    void* state_ = nullptr;
};

/// What was created for one communicator. A program with many sizes has only the last ones.
class CommunicatorOperations final : public AttachedValue {
public:
    explicit CommunicatorOperations(MPI_Comm comm) : order_(mpi::agreed_order(comm)) {}
    ~CommunicatorOperations() override {
        const interposition::OwnCallsScope scope; // the program frees its communicator
        created_.clear();
        own_.clear();
    }
    [[nodiscard]] Order order() const override { return order_; }

    [[nodiscard]] const CreatedOperation& of(const PluggedLine& line, const PluggedCall& call) {
        const auto found = std::ranges::find_if(created_, [&](const auto& one) { return one->serves(call); });
        if (found != created_.end()) {
            std::rotate(created_.begin(), found, found + 1); // the last used ones are in front
            return *created_.front();
        }
        if (created_.size() == most_created) {
            created_.pop_back();
        }
        created_.push_front(std::make_unique<CreatedOperation>(line, call, own_of(*line.operation, call.comm)));
        return *created_.front();
    }

private:
    static constexpr std::size_t most_created = 16;

    /// A duplicate for one operation, for libraries have no endless number of them.
    MPI_Comm own_of(const ictus_operation& operation, MPI_Comm comm) {
        const auto found = std::ranges::find(own_, &operation, &OwnCommunicator::operation);
        if (found != own_.end()) {
            return found->comm.handle();
        }
        own_.push_back({&operation, mpi::Communicator::without_attributes(comm)});
        return own_.back().comm.handle();
    }

    struct OwnCommunicator {
        const ictus_operation* operation;
        mpi::Communicator comm;
    };
    Order order_;
    std::vector<OwnCommunicator> own_;
    std::deque<std::unique_ptr<CreatedOperation>> created_;
};

} // namespace

bool is_predefined(MPI_Op op) {
    for (const MPI_Op own : {MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD, MPI_BOR, MPI_BAND, MPI_LOR, MPI_LAND, MPI_BXOR,
                             MPI_LXOR, MPI_MAXLOC, MPI_MINLOC}) {
        if (op == own) {
            return true;
        }
    }
    return false;
}

PluggedOperations::PluggedOperations(const Profile& profile, const std::string& files)
    : lines_(profile.reroutes.size()) {
    const std::vector<NamedFile> named = profile.plugins.empty() ? std::vector<NamedFile>() : named_files(files);
    for (std::size_t i = 0; i < profile.plugins.size(); ++i) {
        const plugin::Library& library =
            libraries_.emplace_back(plugin::open_library(file_of(profile.plugins[i], named).path));
        const plugin::Declaration declaration = declaration_of(library, profile.plugins[i]);
        for (std::size_t line = 0; line < lines_.size(); ++line) {
            const Reroute& one = profile.reroutes[line];
            if (one.mockup == nullptr && one.plugin == i) {
                lines_[line] = {declaration.operation, values_of(declaration, one.substitute)};
            }
        }
    }
}

bool PluggedOperations::can_reduce(MPI_Datatype type, MPI_Op op) {
    int n_ints = 0;
    int n_addresses = 0;
    int n_types = 0;
    int combiner = 0;
    mpi::check(MPI_Type_get_envelope(type, &n_ints, &n_addresses, &n_types, &combiner), "MPI_Type_get_envelope");
    return combiner == MPI_COMBINER_NAMED && is_predefined(op);
}

int PluggedOperations::run(std::size_t line, std::string_view collective, const mockup::Arguments& a,
                           Workspace& space) {
    int code = MPI_SUCCESS;
    if (a.op != MPI_OP_NULL) {
        code = run_reduction(line, collective == "reduce_scatter_block", a, space);
    } else if (collective == "bcast") {
        code = run_bcast(line, a, space);
    } else {
        code = run_blocks(line, collective, a, space);
    }
    return code == MPI_SUCCESS
               ? code
               : interposition::raise(a.comm, code,
                                      (std::string(lines_[line].operation->name) + " of a plug-in failed").c_str());
}

int PluggedOperations::call(const PluggedCall& call) {
    AttachedValue* there = attribute_.find(call.comm);
    if (there == nullptr) {
        auto made = std::make_unique<CommunicatorOperations>(call.comm);
        there = made.get();
        attribute_.attach(call.comm, std::move(made));
    }
    return static_cast<CommunicatorOperations*>(there)->of(lines_[call.line], call).run(call);
}

int PluggedOperations::run_reduction(std::size_t line, bool in_blocks, const mockup::Arguments& a, Workspace& space) {
    const std::byte* send = a.own;
    if (a.in_place && lines_[line].operation->in_place != 0) {
        send = static_cast<const std::byte*>(MPI_IN_PLACE);
    } else if (a.in_place) { // an operation may write to its result before it has read all that it sends
        const std::int64_t n_units = std::int64_t{a.count} * (in_blocks ? a.n_ranks : 1);
        const auto n_bytes = static_cast<std::size_t>(n_units * a.units.extent);
        std::byte* const copied = space.staging(n_bytes);
        std::memcpy(copied, a.own, n_bytes);
        send = copied;
    }
    return call({line, a.comm, a.units.type, a.op, a.count, a.root, send, a.result});
}

/// Ranks may count and lay out the same message differently: bytes they have in common.
int PluggedOperations::run_bcast(std::size_t line, const mockup::Arguments& a, Workspace& space) {
    const std::size_t n_bytes = static_cast<std::size_t>(a.result_count) * a.result_units.size_bytes;
    const bool is_plain = a.result_units.is_plain;
    std::byte* const buffer = is_plain ? a.result : space.staging(n_bytes);
    int code = is_plain || !a.is_root() ? MPI_SUCCESS
                                        : mockup::pack(buffer, {a.result, a.result_count, a.result_units}, a.comm);
    if (code == MPI_SUCCESS) {
        code = call({line, a.comm, MPI_BYTE, MPI_OP_NULL, static_cast<long long>(n_bytes), a.root, buffer, buffer});
    }
    return code == MPI_SUCCESS && !is_plain && !a.is_root()
               ? mockup::unpack({a.result, a.result_count, a.result_units}, buffer, a.comm)
               : code;
}

/// Allgather, gather and scatter: what one process sends or receives is a block, of as many bytes everywhere.
int PluggedOperations::run_blocks(std::size_t line, std::string_view collective, const mockup::Arguments& a,
                                  Workspace& space) {
    const bool scatters = collective == "scatter";
    const bool sends = !scatters || a.is_root();
    const bool receives = scatters || collective == "allgather" || a.is_root();
    const int n_sent = scatters ? a.n_ranks : 1;
    const int n_received = scatters ? 1 : a.n_ranks;
    const std::size_t block = sends ? static_cast<std::size_t>(a.count) * a.units.size_bytes
                                    : static_cast<std::size_t>(a.result_count) * a.result_units.size_bytes;
    const std::byte* send = sends ? a.own : nullptr;
    const bool takes_in_place =
        a.in_place && lines_[line].operation->in_place != 0 && (scatters ? a.units : a.result_units).is_plain;
    int code = MPI_SUCCESS;
    if (takes_in_place && !scatters) {
        send = static_cast<const std::byte*>(MPI_IN_PLACE);
    } else if (sends && (!a.units.is_plain || (a.in_place && !scatters))) {
        std::byte* const packed = space.staging(block * static_cast<std::size_t>(n_sent));
        code = mockup::pack(packed, {a.own, a.count * n_sent, a.units}, a.comm);
        send = packed;
    }
    std::byte* receive = receives ? a.result : nullptr;
    const bool is_unmoved = scatters && a.in_place; // the root's own block
    const bool is_staged = receives && !takes_in_place && (is_unmoved || !a.result_units.is_plain);
    if (is_unmoved && takes_in_place) {
        receive = static_cast<std::byte*>(MPI_IN_PLACE);
    } else if (is_staged) {
        receive = space.second_staging(block * static_cast<std::size_t>(n_received));
    }
    if (code == MPI_SUCCESS) {
        code = call({line, a.comm, MPI_BYTE, MPI_OP_NULL, static_cast<long long>(block), a.root, send, receive});
    }
    return code == MPI_SUCCESS && is_staged && !is_unmoved
               ? mockup::unpack({a.result, a.result_count * n_received, a.result_units}, receive, a.comm)
               : code;
}

} // namespace ictus::redirect
