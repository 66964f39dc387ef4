#include "mpi/foreign_communicator.hpp"

#include "base/defaults.hpp"
#include "base/error.hpp"
#include "mpi/handles.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace ictus {
namespace {

/// An attribute's value: MPI hands it back when the communicator is freed.
struct Hook {
    std::unique_ptr<AttachedValue> value;
    MPI_Comm comm;
    int keyval;
};

std::mutex hooks_turn;
std::vector<Hook*> hooks;
std::atomic<bool> finalising = false;

void forget(const Hook* hook) {
    const std::scoped_lock turn(hooks_turn);
    hooks.erase(std::remove(hooks.begin(), hooks.end(), hook), hooks.end());
}

/// Whether a communicator has an attribute of this keyval. The caller has hooks_turn.
bool is_attached(int keyval) {
    return std::any_of(hooks.begin(), hooks.end(), [keyval](const Hook* one) { return one->keyval == keyval; });
}

/// The first in the order that all processes have in common; null: none is left.
Hook* first_hook() {
    const std::scoped_lock turn(hooks_turn);
    const auto first = std::min_element(
        hooks.begin(), hooks.end(), [](const Hook* a, const Hook* b) { return a->value->order() < b->value->order(); });
    return first != hooks.end() ? *first : nullptr;
}

void free_all() {
    while (const Hook* const first = first_hook()) {
        if (MPI_Comm_delete_attr(first->comm, first->keyval) != MPI_SUCCESS) {
            forget(first); // rather leak it than try for ever
        }
    }
}

extern "C" {

int delete_hook(MPI_Comm, int, void* value, void*) noexcept {
    auto* hook = static_cast<Hook*>(value);
    forget(hook);
    delete hook;
    return MPI_SUCCESS;
}

/// MPI_Finalize frees the attributes of MPI_COMM_SELF before anything else.
int begin_finalising(MPI_Comm, int, void*, void*) noexcept {
    finalising = true;
    free_all();
    return MPI_SUCCESS;
}

} // extern "C"

/// Without MPI_Init there is neither MPI_COMM_SELF nor an MPI_Finalize that frees attributes: a session frees its own.
void watch_for_the_end() {
    static std::once_flag watched;
    int is_initialised = 0;
    if (MPI_Initialized(&is_initialised); is_initialised == 0) {
        return;
    }
    std::call_once(watched, [] {
        int keyval = MPI_KEYVAL_INVALID;
        mpi::check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, begin_finalising, &keyval, nullptr),
                   "MPI_Comm_create_keyval");
        mpi::check(MPI_Comm_set_attr(MPI_COMM_SELF, keyval, nullptr), "MPI_Comm_set_attr");
        mpi::check(MPI_Comm_free_keyval(&keyval), "MPI_Comm_free_keyval"); // gone with its last attribute
    });
}

} // namespace

bool is_finalising() noexcept { return finalising; }

void CommAttribute::make_keyval() {
    mpi::check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_hook, &keyval_, nullptr), "MPI_Comm_create_keyval");
}

int CommAttribute::keyval() {
    watch_for_the_end();
    std::call_once(made_, [this] {
        int is_initialised = 0;
        MPI_Initialized(&is_initialised);
        is_of_session_ = is_initialised == 0;
        if (!is_of_session_) {
            make_keyval();
        }
    });
    if (!is_of_session_) {
        return keyval_;
    }
    const std::scoped_lock turn(hooks_turn);
    return is_attached(keyval_) ? keyval_ : MPI_KEYVAL_INVALID;
}

AttachedValue* CommAttribute::find(MPI_Comm comm) {
    Hook* hook = nullptr;
    int there = 0;
    const int known = keyval();
    if (known == MPI_KEYVAL_INVALID) {
        return nullptr;
    }
    mpi::check(MPI_Comm_get_attr(comm, known, &hook, &there), "MPI_Comm_get_attr");
    return there != 0 ? hook->value.get() : nullptr;
}

void CommAttribute::attach(MPI_Comm comm, std::unique_ptr<AttachedValue> value) {
    if (is_finalising()) {
        throw usage_error("MPI is being finalised: nothing more can be attached to a communicator");
    }
    remove(comm);
    std::unique_ptr<Hook> hook(
        new Hook{std::move(value), comm, MPI_KEYVAL_INVALID}); // clang knows no make_unique of an aggregate
    {
        const std::scoped_lock turn(hooks_turn);
        if (is_of_session_ && !is_attached(keyval_)) {
            make_keyval();
        }
        hook->keyval = keyval_;
        hooks.push_back(hook.get());
    }
    const int code = MPI_Comm_set_attr(comm, hook->keyval, hook.get());
    if (code != MPI_SUCCESS) {
        forget(hook.get());
    }
    mpi::check(code, "MPI_Comm_set_attr");
    hook.release(); // MPI owns it now
}

void CommAttribute::remove(MPI_Comm comm) {
    if (find(comm) != nullptr) {
        mpi::check(MPI_Comm_delete_attr(comm, keyval()), "MPI_Comm_delete_attr");
    }
}

namespace mpi {

bool is_spawned() {
    if constexpr (is_simulated) { // SimGrid has no such function
        return false;
    }
    MPI_Comm parent = MPI_COMM_NULL;
    check(MPI_Comm_get_parent(&parent), "MPI_Comm_get_parent");
    return parent != MPI_COMM_NULL;
}

bool is_between_groups(MPI_Comm comm) {
    int yes = 0;
    check(MPI_Comm_test_inter(comm, &yes), "MPI_Comm_test_inter");
    return yes != 0;
}

/// The relation is symmetric: if one process sees another outside of its world, so does the other.
bool lies_in_world(MPI_Comm comm) {
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Group world = MPI_GROUP_NULL;
    check(MPI_Comm_group(comm, &group), "MPI_Comm_group");
    check(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
    MPI_Group outside = MPI_GROUP_NULL;
    check(MPI_Group_difference(group, world, &outside), "MPI_Group_difference");
    int n_outside = 0;
    check(MPI_Group_size(outside, &n_outside), "MPI_Group_size");
    for (MPI_Group* const one : {&group, &world, &outside}) {
        if (*one != MPI_GROUP_EMPTY) {
            MPI_Group_free(one);
        }
    }
    return n_outside == 0;
}

bool is_usable(MPI_Comm comm) {
    int is_initialised = 0;
    MPI_Initialized(&is_initialised);
    return is_initialised != 0 || (comm != MPI_COMM_NULL && comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF);
}

namespace {

/// What no process of another host has: the rank in MPI_COMM_WORLD, or, of a program that has sessions only, a hash of
/// the host's name.
std::uint64_t own_mark() {
    int is_initialised = 0;
    if (MPI_Initialized(&is_initialised); is_initialised == 0) {
        std::array<char, MPI_MAX_PROCESSOR_NAME + 1> name = {};
        gethostname(name.data(), name.size() - 1);
        return std::hash<std::string_view>()(name.data());
    }
    int rank = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    return static_cast<std::uint64_t>(rank);
}

} // namespace

/// Rank 0's count; the process that counted makes it unique.
AttachedValue::Order agreed_order(MPI_Comm comm) {
    static std::atomic<std::uint64_t> made = 0;
    AttachedValue::Order order = {++made, own_mark(), static_cast<std::uint64_t>(getpid())};
    check(MPI_Bcast(order.data(), static_cast<int>(order.size()), MPI_UINT64_T, 0, comm), "MPI_Bcast");
    return order;
}

} // namespace mpi

} // namespace ictus
