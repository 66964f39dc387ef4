#include "plugin/operation.hpp"

#include "base/error.hpp"
#include "mpi/fortran_handles.hpp"
#include "mpi/handles.hpp"
#include "plugin/crash_report.hpp"
#include "plugin/library.hpp"
#include "plugin/request_watch.hpp"
#include "workload/operation/latecomer.hpp"
#include "workload/operation/role.hpp"

#include <algorithm>
#include <chrono>

namespace ictus::plugin {
namespace {

/// A message that no receive of the call has taken. Collective: all calls have returned before anybody looks.
std::string unreceived(MPI_Comm comm) {
    constexpr int looks = 50; // a message may still be on its way
    PMPI_Barrier(comm);
    for (int i = 0; i < looks; ++i) {
        int found = 0;
        MPI_Status status;
        PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, &status);
        if (found != 0) {
            return "leaves a message of rank " + std::to_string(status.MPI_SOURCE) + " with tag " +
                   std::to_string(status.MPI_TAG) + " that nobody receives";
        }
    }
    return "";
}

/// The first one is told.
void note(std::string& misdeed, const std::string& another) {
    if (misdeed.empty()) {
        misdeed = another;
    }
}

/// One operation as its library made it for a communicator, and its calls.
class Instance {
public:
    Instance(const Declaration& declaration, const Bound& bound, const CallSite& site, MPI_Datatype type, MPI_Op op)
        : declaration_(declaration), suspect_(declaration), comm_(mpi::Communicator::duplicate(site.comm)) {
        for (const Parameter& parameter : declaration.parameters) {
            values_.push_back(static_cast<long long>(bound.count(parameter.name)));
        }
        site_.count = static_cast<long long>(site.count);
        site_.values = values_.data();
        site_.root = site.root;
        site_.comm = comm_.handle();
        site_.datatype = type;
        site_.op = op;
        site_.comm_f = MPI_Comm_c2f(site_.comm);
        site_.datatype_f = MPI_Type_c2f(type);
        site_.op_f = MPI_Op_c2f(op);
        suspect_.accuse();
        const auto begin = std::chrono::steady_clock::now();
        create(&state_);
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
        cost_ = {"create", elapsed.count()};
    }
    ~Instance() {
        suspect_.accuse();
        (void)declaration_.operation->destroy(state_);
    }
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    [[nodiscard]] BoundCall bind(const std::byte* send, std::byte* receive) const {
        suspect_.accuse();
        const void* const from = send;
        void* const to = receive;
        return BoundCall(declaration_.operation->call, state_, from, to);
    }

    /// One call of `operation`; what it did besides its result that it must not do.
    int try_call(Operation& operation, std::string& misdeed) const {
        const RequestWatch watch(*declaration_.library, site_);
        const int code = operation.call();
        note(misdeed, watch.freed());
        note(misdeed, watch.incomplete());
        return code;
    }

    /// The same, and once a life from create to destroy. Collective: a rank with a misdeed meets the others too.
    int try_life(Operation& operation, std::string& misdeed) {
        const RequestWatch watch(*declaration_.library, site_);
        const int code = operation.call();
        if (code != MPI_SUCCESS) {
            return code; // ends the launch
        }
        note(misdeed, watch.freed());
        note(misdeed, watch.incomplete());
        note(misdeed, unreceived(comm_.handle()));
        if (!has_lived_) {
            has_lived_ = true;
            void* state = nullptr;
            create(&state);
            mpi::check(declaration_.operation->destroy(state), (title(declaration_) + ": destroy").c_str());
            note(misdeed, watch.freed());
            note(misdeed, watch.unfreed());
        }
        return MPI_SUCCESS;
    }

    [[nodiscard]] std::span<const SetupCost> set_up() const { return {&cost_, 1}; }

private:
    void create(void** state) const {
        mpi::check(declaration_.operation->create(&site_, state), (title(declaration_) + ": create").c_str());
    }

    const Declaration& declaration_;
    mutable Suspect suspect_; ///< the handler of a signal writes the time into it
    mpi::Communicator comm_;
    std::vector<long long> values_;
    ictus_operation_site site_{};
    void* state_ = nullptr;
    SetupCost cost_{};
    bool has_lived_ = false;
};

/// A buffer in memory of a plug-in: the image of one of ours, guards included.
class OwnMemory {
public:
    OwnMemory(const Declaration& declaration, std::size_t size_bytes)
        : operation_(*declaration.operation), n_bytes_(size_bytes + 2 * GuardedBuffer::guard_bytes),
          memory_(static_cast<std::byte*>(operation_.allocate(front_bytes + n_bytes_))) {
        if (memory_ == nullptr) {
            throw measurement_error(title(declaration) + ": its allocate gave no memory for a buffer of " +
                                    std::to_string(size_bytes) + " bytes");
        }
    }
    ~OwnMemory() { operation_.release(memory_, front_bytes + n_bytes_); }
    OwnMemory(const OwnMemory&) = delete;
    OwnMemory& operator=(const OwnMemory&) = delete;

    [[nodiscard]] std::byte* data() const { return image() + GuardedBuffer::guard_bytes; }
    void write(const std::byte* ours) {
        mpi::check(operation_.write(image(), ours - GuardedBuffer::guard_bytes, n_bytes_), "write of a plug-in");
    }
    void read(std::byte* ours) const {
        mpi::check(operation_.read(ours - GuardedBuffer::guard_bytes, image(), n_bytes_), "read of a plug-in");
    }

private:
    /// So that the message begins with a page, as in memory of ours, where the memory does.
    static constexpr std::size_t front_bytes = 4096 - GuardedBuffer::guard_bytes;
    [[nodiscard]] std::byte* image() const { return memory_ + front_bytes; }

    const ictus_operation& operation_;
    std::size_t n_bytes_;
    std::byte* memory_;
};

class PluggedCollective final : public operation::Collective {
public:
    PluggedCollective(const OperationMember& member, const Bound& bound, const CallSite& site)
        : Collective(member, site, operation::find_role(member.stands_for)->blocks(site)), member_(member), site_(site),
          instance_(declaration_of(member), bound, site, type(), member.reduces ? reduction() : MPI_OP_NULL) {
        if (declaration_of(member).operation->allocate == nullptr) {
            return;
        }
        if (site.area_bytes > 0) {
            throw usage_error(std::string(member.name) + ": its buffers are in memory of its own, and cache mode "
                                                         "cold-rotate cannot move those; choose cold-memset");
        }
        const std::size_t n_received = received().total();
        if (!sends_in_place()) {
            own_send_ = std::make_unique<OwnMemory>(declaration_of(member), sent().total() * bytes_per_unit());
        }
        if (!receives_in_place()) { // in place, it holds first what is sent
            const std::size_t n_units = sends_in_place() ? std::max(n_received, sent().total()) : n_received;
            own_receive_ = std::make_unique<OwnMemory>(declaration_of(member), n_units * bytes_per_unit());
        }
    }

    BoundCall bind() override {
        std::byte* const from = own_send_ ? own_send_->data() : send();
        std::byte* const to = own_receive_ ? own_receive_->data() : receive();
        if (member_.stands_for != "bcast") {
            return instance_.bind(from, to);
        }
        std::byte* const buffer = rank() == root() ? from : to; // MPI_Bcast has one
        return instance_.bind(buffer, buffer);
    }
    int try_call(std::string& misdeed) override { return instance_.try_life(*this, misdeed); }
    [[nodiscard]] std::span<const SetupCost> set_up() const override { return instance_.set_up(); }

private:
    [[nodiscard]] BlockSource block_source(int block) const override {
        return operation::find_role(member_.stands_for)->block_source(site_, block, own_block());
    }
    void filled() override {
        if (own_send_) {
            own_send_->write(send());
        }
        if (own_receive_) {
            own_receive_->write(receive());
        }
    }
    void arrived() const override {
        if (own_send_) {
            own_send_->read(send());
        }
        if (own_receive_) {
            own_receive_->read(receive());
        }
    }

    const OperationMember& member_;
    CallSite site_; ///< for `block_source`
    Instance instance_;
    std::unique_ptr<OwnMemory> own_send_;
    std::unique_ptr<OwnMemory> own_receive_;
};

class PluggedBarrier final : public Operation {
public:
    PluggedBarrier(const OperationMember& member, const Bound& bound, const CallSite& site)
        : instance_(declaration_of(member), bound, site, MPI_BYTE, MPI_OP_NULL), latecomer_(site) {}

    BoundCall bind() override { return instance_.bind(nullptr, nullptr); }
    /// Nothing after the call may bring ranks together, which would hide that they left too early.
    int try_call(std::string& misdeed) override { return instance_.try_call(*this, misdeed); }
    [[nodiscard]] std::span<const SetupCost> set_up() const override { return instance_.set_up(); }
    void fill(std::uint64_t seed) override { latecomer_.come(seed); }
    [[nodiscard]] std::optional<Mismatch> check(std::uint64_t seed) const override { return latecomer_.leave(seed); }

private:
    Instance instance_;
    operation::Latecomer latecomer_;
};

} // namespace

std::unique_ptr<Operation> make_operation(const Bound& bound, const CallSite& site) {
    const auto& member = static_cast<const OperationMember&>(bound.info());
    if (member.volume == Volume::none) {
        return std::make_unique<PluggedBarrier>(member, bound, site);
    }
    return std::make_unique<PluggedCollective>(member, bound, site);
}

} // namespace ictus::plugin
