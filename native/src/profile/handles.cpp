#include "profile/handles.hpp"

#include "base/random.hpp"
#include "profile/calls.hpp"

#include <cstring>
#include <vector>

namespace ictus::profile {
namespace {

/// What this thread knows of the handles that it used last, each in the place that its value has.
template <class Handle, class Known>
class Recent {
public:
    template <class Ask>
    Known find(Handle handle, Ask ask) {
        const std::uint64_t now = Handles::generation().load(std::memory_order_acquire);
        auto bits = std::uint64_t{};
        static_assert(sizeof handle <= sizeof bits);
        std::memcpy(&bits, &handle, sizeof handle);
        Entry& entry = entries_[bits * 0x9E3779B97F4A7C15U >> (64 - log2_entries)];
        if (entry.generation != now || entry.handle != handle) {
            entry = Entry{now, handle, ask(handle)};
        }
        return entry.known;
    }

private:
    struct Entry {
        std::uint64_t generation = 0; ///< 0: nothing
        Handle handle{};
        Known known{};
    };
    static constexpr int log2_entries = 5;
    std::array<Entry, 1 << log2_entries> entries_;
};

/// On a communicator: when it is freed, its handle means nothing any more.
class CommMark final : public AttachedValue {
public:
    explicit CommMark(const KnownComm& known) : known(known) {}
    ~CommMark() override { ++Handles::generation(); }
    KnownComm known;
};

int type_freed(MPI_Datatype, int, void*, void*) {
    ++Handles::generation();
    return MPI_SUCCESS;
}

/// "0-3,8"
std::string ranges_of(const std::vector<int>& ranks, std::size_t longest) {
    std::string text;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t end = i + 1;
        while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) {
            ++end;
        }
        std::string part = (i > 0 ? "," : "") + std::to_string(ranks[i]);
        if (end - i > 1) {
            part += "-" + std::to_string(ranks[end - 1]);
        }
        if (text.size() + part.size() + 4 > longest) {
            return text + "...";
        }
        text += part;
        i = end;
    }
    return text;
}

std::uint64_t sum_of(const Counts& counts, int n) {
    std::uint64_t sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += counts[i] > 0 ? static_cast<std::uint64_t>(counts[i]) : 0;
    }
    return sum;
}

std::string type_name(MPI_Datatype type, int combiner) {
    char name[MPI_MAX_OBJECT_NAME] = {};
    int length = 0;
    PMPI_Type_get_name(type, name, &length);
    if (length > 0) {
        return name;
    }
    switch (combiner) {
    case MPI_COMBINER_CONTIGUOUS: return "contiguous";
    case MPI_COMBINER_VECTOR: return "vector";
    case MPI_COMBINER_HVECTOR: return "hvector";
    case MPI_COMBINER_INDEXED: return "indexed";
    case MPI_COMBINER_HINDEXED: return "hindexed";
    case MPI_COMBINER_INDEXED_BLOCK: return "indexed block";
    case MPI_COMBINER_STRUCT: return "struct";
    case MPI_COMBINER_SUBARRAY: return "subarray";
    case MPI_COMBINER_DARRAY: return "darray";
    case MPI_COMBINER_RESIZED: return "resized";
    default: return "derived";
    }
}

} // namespace

Handles::Handles(Counters& counters, MPI_Group world) : counters_(counters), world_(world) {
    PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, type_freed, &type_key_, nullptr);
}

std::atomic<std::uint64_t>& Handles::generation() {
    static std::atomic<std::uint64_t> number = 1;
    return number;
}

KnownComm Handles::comm(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL) {
        return {};
    }
    thread_local Recent<MPI_Comm, KnownComm> recent;
    return recent.find(comm, [this](MPI_Comm one) { return ask_comm(one); });
}

KnownType Handles::type(MPI_Datatype type) {
    if (type == MPI_DATATYPE_NULL) {
        return {};
    }
    thread_local Recent<MPI_Datatype, KnownType> recent;
    return recent.find(type, [this](MPI_Datatype one) { return ask_type(one); });
}

std::uint32_t Handles::window(MPI_Win window) {
    if (window == MPI_WIN_NULL) {
        return 0;
    }
    thread_local Recent<MPI_Win, std::uint32_t> recent;
    return recent.find(window, [this](MPI_Win one) {
        MPI_Group group = MPI_GROUP_NULL;
        PMPI_Win_get_group(one, &group);
        const std::scoped_lock turn(turn_);
        const std::uint32_t index = add_group(group, 0, "window");
        PMPI_Group_free(&group);
        return index;
    });
}

KnownComm Handles::ask_comm(MPI_Comm comm) {
    if (auto* const mark = dynamic_cast<CommMark*>(attribute_.find(comm))) {
        return mark->known;
    }
    KnownComm known;
    int between = 0;
    PMPI_Comm_test_inter(comm, &between);
    PMPI_Comm_rank(comm, &known.rank);
    int n_remote = 0;
    if (between != 0) {
        PMPI_Comm_remote_size(comm, &n_remote);
        known.n_blocks = n_remote;
    } else {
        PMPI_Comm_size(comm, &known.n_blocks);
    }
    int topology = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &topology);
    if (topology == MPI_DIST_GRAPH) {
        int sources = 0;
        int weighted = 0;
        PMPI_Dist_graph_neighbors_count(comm, &sources, &known.n_destinations, &weighted);
    } else if (topology == MPI_CART) {
        int dimensions = 0;
        PMPI_Cartdim_get(comm, &dimensions);
        known.n_destinations = 2 * dimensions;
    } else if (topology == MPI_GRAPH) {
        PMPI_Graph_neighbors_count(comm, known.rank, &known.n_destinations);
    }
    char name[MPI_MAX_OBJECT_NAME] = {};
    int length = 0;
    PMPI_Comm_get_name(comm, name, &length);
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_group(comm, &group);
    {
        const std::scoped_lock turn(turn_);
        known.index = add_group(group, n_remote, name);
    }
    PMPI_Group_free(&group);
    attribute_.attach(comm, std::make_unique<CommMark>(known));
    return known;
}

/// Asked once for each communicator, so that what grows with its processes is not kept.
std::uint32_t Handles::add_group(MPI_Group group, int n_remote, const char* name) {
    int n = 0;
    PMPI_Group_size(group, &n);
    std::vector<int> own(static_cast<std::size_t>(n));
    std::vector<int> ranks(own.size());
    for (int i = 0; i < n; ++i) {
        own[static_cast<std::size_t>(i)] = i;
    }
    PMPI_Group_translate_ranks(group, n, own.data(), world_, ranks.data());
    std::uint64_t hash = SplitMix64::mix(static_cast<std::uint64_t>(n) + 1);
    for (const int rank : ranks) {
        hash = SplitMix64::mix(hash ^ static_cast<std::uint32_t>(rank));
    }
    int rank = 0;
    PMPI_Group_rank(group, &rank);
    return counters_.add_communicator({.group_hash = hash,
                                       .n_ranks = static_cast<std::uint32_t>(n),
                                       .n_remote = static_cast<std::uint32_t>(n_remote),
                                       .own_rank = static_cast<std::uint32_t>(rank),
                                       .name = name},
                                      ranges_of(ranks, sizeof(CommunicatorEntry::ranks)));
}

KnownType Handles::ask_type(MPI_Datatype type) {
    int numbers = 0;
    int addresses = 0;
    int types = 0;
    int combiner = MPI_COMBINER_NAMED;
    PMPI_Type_get_envelope(type, &numbers, &addresses, &types, &combiner);
    MPI_Count bytes = 0;
    PMPI_Type_size_x(type, &bytes);
    if (combiner != MPI_COMBINER_NAMED) {
        PMPI_Type_set_attr(type, type_key_, nullptr); // tells when it is freed
    }
    KnownType known;
    known.bytes = bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0;
    const std::scoped_lock turn(turn_);
    known.index = counters_.add_type(type_name(type, combiner), known.bytes);
    return known;
}

namespace {

Volume volume(std::uint64_t units, MPI_Datatype type, Handles& handles) {
    const KnownType known = handles.type(type);
    return {units * known.bytes, known.index};
}

/// The sum over messages that have a count each, and perhaps a datatype each.
Volume sum(const Counts& counts, int n, MPI_Datatype type, const std::optional<interposition::Datatypes>& types,
           Handles& handles) {
    if (!types) {
        return volume(sum_of(counts, n), type, handles);
    }
    Volume all;
    for (int i = 0; i < n; ++i) {
        if (counts[i] > 0) {
            const Volume one = volume(static_cast<std::uint64_t>(counts[i]), (*types)[i], handles);
            all = {all.bytes + one.bytes, one.type};
        }
    }
    return all;
}

} // namespace

Volume volume_of(CallId call, const CallFacts& facts, const KnownComm& comm, Handles& handles) {
    const auto units = [](std::int64_t count) { return count > 0 ? static_cast<std::uint64_t>(count) : 0; };
    const bool is_root = facts.root == comm.rank || facts.root == MPI_ROOT;
    // Of a reduce-scatter there is one list of counts, of the results; its datatype is `send_type`.
    const bool is_reduce_scatter = facts.receive_counts.has_value() && facts.op != MPI_OP_NULL;
    if (is_reduce_scatter) {
        return volume(sum_of(*facts.receive_counts, comm.n_blocks), facts.send_type, handles);
    }
    // A scatter's send arguments mean nothing but at its root, the others' in place nothing at all.
    if (is_scatter(call) ? !is_root : facts.send == MPI_IN_PLACE && facts.has_receive_side) {
        if (!facts.receive_counts) {
            return volume(units(facts.receive_count), facts.receive_type, handles);
        }
        if (!facts.send_counts) { // its own block of a gatherv, allgatherv
            return volume(units((*facts.receive_counts)[comm.rank]), facts.receive_type, handles);
        }
        return sum(*facts.receive_counts, comm.n_blocks, facts.receive_type, facts.receive_types, handles);
    }
    if (facts.send_counts) {
        const int n = facts.to_neighbours ? comm.n_destinations : comm.n_blocks;
        return sum(*facts.send_counts, n, facts.send_type, facts.send_types, handles);
    }
    return volume(units(facts.send_count), facts.send_type, handles);
}

} // namespace ictus::profile
