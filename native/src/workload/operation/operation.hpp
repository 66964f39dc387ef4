// Family operation: the measured calls. A member is one MPI call with its buffers, and knows the expected value of each
// received element.
#pragma once

#include "base/bound_call.hpp"
#include "base/registry.hpp"
#include "workload/counts.hpp"
#include "workload/layout.hpp"
#include "workload/operation/buffer.hpp"
#include "workload/operation/datatype.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mpi.h>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ictus {

/// Where and on what an operation is called: one case on one rank.
struct CallSite {
    MPI_Comm comm = MPI_COMM_NULL; ///< not owned
    int rank = 0;
    int n_ranks = 1;
    int root = 0;
    const Datatype* datatype = nullptr;
    const Operator* reduction = nullptr;
    std::size_t count = 0; ///< units of the layout in the message (volume `message`) or in one block (volume `blocks`)
    /// How the elements of a varied operation are divided among its blocks; null: equally.
    const CountDistribution* counts = nullptr;
    std::size_t area_bytes =
        0; ///< memory that each buffer moves through (cache mode cold-rotate); 0: buffers do not move
    const Layout* layout = nullptr; ///< null: basic, a unit is an element
    bool in_place = false;          ///< MPI_IN_PLACE where the operation allows it
};

/// How the total volume n of a case is laid out (file-format.md): no data, one message, p blocks of n/p, or as in
/// the inner operations (nested.hpp).
enum class Volume { none, message, blocks, nested };
[[nodiscard]] std::string_view to_string(Volume volume);

/// A received element that differs from the payload.
struct Mismatch {
    std::string where; ///< `element 7 of the receive buffer`, `guard byte behind the receive buffer`, ...
    std::string expected;
    std::string found;
};

/// An operation that one call starts and MPI_Wait or MPI_Test completes: nonblocking or persistent.
class Startable {
public:
    /// The call that starts the operation, which must not be active. The caller completes `request` and does not free
    /// it.
    [[nodiscard]] virtual BoundCall bind_start(MPI_Request& request) = 0;

protected:
    ~Startable() = default;
};

/// A preparation that runs once, before the first call.
struct SetupCost {
    std::string_view what; ///< `topology`, `schedule`, `window`, ...
    double elapsed_s;      ///< on this rank
};

class Operation : public MovingBuffers {
public:
    virtual ~Operation() = default;
    Operation() = default;
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

    /// The timed call with its arguments, valid until the buffers move or it is bound again; a nonblocking one waits at
    /// once. Its code is MPI's.
    [[nodiscard]] virtual BoundCall bind() = 0;
    int call() { return bind()(); }
    /// A call that is not timed, for validation. `misdeed` becomes what it did besides its result and must not do, as a
    /// verb with its object, where the operation can tell.
    virtual int try_call(std::string& /*misdeed*/) { return call(); }
    /// Starts and completes the operation separately; null where it is blocking.
    [[nodiscard]] virtual Startable* startable() { return nullptr; }
    /// The preparations besides buffers, and how long each took; the same entries on all ranks.
    [[nodiscard]] virtual std::span<const SetupCost> set_up() const { return {}; }
    /// Whether the arguments do not fit an int, so that the call is the one for large counts (`MPI_Bcast_c`).
    [[nodiscard]] virtual bool has_large_counts() const { return false; }
    /// The number of equal parts of a call, where the operation reports the time of one part.
    [[nodiscard]] virtual std::uint64_t parts() const { return 1; }
    /// Fills the send buffer with the payload of `seed` and poisons the receive buffer. Not timed.
    virtual void fill(std::uint64_t seed) = 0;
    /// After fill(seed) and one call(): the first element that is wrong on this rank.
    [[nodiscard]] virtual std::optional<Mismatch> check(std::uint64_t seed) const = 0;
};

enum class Form { blocking, nonblocking, persistent };
[[nodiscard]] std::string_view to_string(Form form);

/// Where a call may take MPI_IN_PLACE.
enum class InPlace {
    never,
    every_rank,       ///< instead of the send buffer
    sends_at_root,    ///< instead of the root's send buffer
    receives_at_root, ///< instead of the root's receive buffer
};

namespace plugin {
struct Declaration;
}

/// Properties of an operation beyond those of a plain member.
struct OperationMember : Member<Operation, const CallSite&> {
    std::string_view mpi_name; ///< `MPI_Bcast`; empty for `empty`
    Volume volume = Volume::none;
    bool rooted = false;
    bool reduces = false;
    bool varied = false;          ///< each block has its own size: family `counts` applies
    bool places_in_bytes = false; ///< displacements of its blocks are ints that count bytes, not elements
    Form form = Form::blocking;
    std::string_view collective = {}; ///< its blocking form; for a blocking one its own name
    std::string_view since = {};      ///< the version of MPI that has it; empty: no call of MPI
    bool available = true;            ///< the mpi.h that the core is compiled with declares it, and no fault is known
    bool large = false;               ///< its form for large counts is available too
    /// For volume `blocks`: the number of blocks of the largest buffer of any rank; null: one for each rank. Throws a
    /// usage Error where the parameters do not fit the number of ranks.
    int (*n_blocks)(const Bound& bound, int n_ranks) = nullptr;
    InPlace in_place = InPlace::never;
    bool binds_buffers = false; ///< its requests are made with it and bound to its buffers
    // Only for a mock-up (mockup/algorithm.hpp):
    std::string_view mockup_of = {}; ///< the operation that it replaces
    std::string_view guideline = {}; ///< GL3, ...
    bool is_padded = false;          ///< volume `message`: it moves p whole blocks
    /// The inner operations in the order of their calls. Null: there are none.
    std::vector<Bound> (*nested)(const Bound& call) = nullptr;
    // Only for an operation of a plug-in (plugin/library.hpp):
    std::string_view stands_for = {}; ///< the operation whose result it has
    const plugin::Declaration* declaration = nullptr;
};

namespace operation {

/// A collective's blocking, nonblocking and persistent member.
using Forms = std::array<OperationMember, 3>;

[[nodiscard]] const Registry<Operation, const CallSite&>& registry();
[[nodiscard]] const FamilyInfo& family();
[[nodiscard]] const OperationMember& traits(std::string_view name);

/// Why the library cannot execute it; empty where it can.
[[nodiscard]] std::string lack(const OperationMember& member);
/// Throws a usage Error with this reason.
void require_available(const OperationMember& member);

} // namespace operation

/// The operations of a case, which its repetitions call in turn: one, or one per root if the root rotates. An operation
/// is made when a repetition needs it. Of many roots only some operations exist at a time, for each has buffers.
class RootRotation {
public:
    using Make = std::function<std::unique_ptr<Operation>(std::size_t turn)>;

    /// `size`, the number of turns, is at least one; so is `most`, the number of operations at a time. Both are the
    /// same on all ranks, because making an operation may be collective.
    RootRotation(std::size_t size, std::size_t most, Make make)
        : size_(size), make_(std::move(make)), made_(std::min(size, most)) {}

    [[nodiscard]] std::size_t size() const { return size_; }

    /// The operation of repetition 0, 1, 2, ..., which all ranks ask for in the same order. A new one is filled, for
    /// the time of a reduction may depend on its numbers. It lives until its place is needed.
    [[nodiscard]] Operation& of(std::uint64_t repetition) const {
        const std::size_t turn = repetition % size_;
        Made& made = made_[turn % made_.size()];
        if (!made.operation || made.turn != turn) {
            made.operation.reset(); // first, so that the next one takes over its memory
            made = {turn, make_(turn)};
            made.operation->fill(turn);
        }
        return *made.operation;
    }

private:
    struct Made {
        std::size_t turn = 0;
        std::unique_ptr<Operation> operation;
    };

    std::size_t size_;
    Make make_;
    mutable std::vector<Made> made_;
};

} // namespace ictus
