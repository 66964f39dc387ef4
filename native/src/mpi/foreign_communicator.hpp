// Communicators of another program: values that we attach to them, and their processes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mpi.h>
#include <mutex>

namespace ictus {

/// A value that we attach to a communicator as an attribute. It is freed with the communicator, or at the begin of
/// MPI_Finalize, while MPI still works. A duplicate of the communicator starts without it. Its destructor may free
/// communicators of its own.
class AttachedValue {
public:
    /// The same on all processes of the communicator, and different for any two that free communicators. Threads of
    /// different processes may have made them in different orders.
    using Order = std::array<std::uint64_t, 3>;

    virtual ~AttachedValue() = default;
    AttachedValue() = default;
    AttachedValue(const AttachedValue&) = delete;
    AttachedValue& operator=(const AttachedValue&) = delete;
    /// MPI_Finalize frees values in this order; the order of values that free no communicator does not matter.
    [[nodiscard]] virtual Order order() const { return {}; }
};

/// One kind of attribute: one keyval of MPI's. Communicators may be used by different threads at once, one thread each.
/// Meant to be a variable that lives as long as the program. MPI must be initialised, or a session have begun.
class CommAttribute {
public:
    /// The value attached to `comm`; null: none.
    [[nodiscard]] AttachedValue* find(MPI_Comm comm);
    /// Replaces the attached value, which is freed first. Throws an Error with MPI's text if MPI refuses it.
    void attach(MPI_Comm comm, std::unique_ptr<AttachedValue> value);
    /// Frees the attached value, if any. Collective if its destructor is.
    void remove(MPI_Comm comm);

private:
    /// MPI_KEYVAL_INVALID: nothing is attached to any communicator.
    [[nodiscard]] int keyval();
    void make_keyval();

    std::once_flag made_;
    /// Made before MPI_Init: the session may end, and Open MPI forgets keyvals with its last session. A session ends
    /// after its communicators, so a keyval that none of them has is made anew when something is attached.
    bool is_of_session_ = false;
    int keyval_ = MPI_KEYVAL_INVALID;
};

/// Whether MPI has begun to finalise, as far as we know: attributes are freed and nothing may be attached.
[[nodiscard]] bool is_finalising() noexcept;

namespace mpi {

/// Whether this MPI_COMM_WORLD was started by MPI_Comm_spawn.
[[nodiscard]] bool is_spawned();

/// Whether `comm` is an intercommunicator. Local, and the same on all its processes; so is the next.
[[nodiscard]] bool is_between_groups(MPI_Comm comm);
/// Whether all processes of the intracommunicator `comm` are in MPI_COMM_WORLD.
[[nodiscard]] bool lies_in_world(MPI_Comm comm);

/// An order for a value attached to `comm`. Collective.
[[nodiscard]] AttachedValue::Order agreed_order(MPI_Comm comm);
/// Whether the program can use `comm`: MPI is initialised, or a session made it (MPI_Comm_create_from_group), for
/// before MPI_Init only the predefined communicators have handles otherwise.
[[nodiscard]] bool is_usable(MPI_Comm comm);

} // namespace mpi

} // namespace ictus
