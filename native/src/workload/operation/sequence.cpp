// Several operations one after another, timed as one call: the right side of a user's guideline. Unlike in a mock-up,
// no call takes the result of another; each has its own buffers.
#include "base/error.hpp"
#include "workload/operation/nested.hpp"

#include <algorithm>

namespace ictus::operation {
namespace {

constexpr Parameter sequence_parameters[] = {
    {.name = "operations",
     .type = Parameter::Type::list,
     .default_value = "",
     .help = "what is called, in this order; each with the same total volume n",
     .family = &family},
};

std::vector<Bound> sequence_of(const Bound& call) {
    std::vector<Bound> all;
    for (const Spec& one : call.list("operations")) {
        all.push_back(bind(family(), one));
    }
    return all;
}

class Sequence final : public Operation {
public:
    Sequence(const Bound& bound, const CallSite& site) {
        const bool is_whole = traits(bound).volume == Volume::message; // else the count is already that of a block
        for (const Bound& call : sequence_of(bound)) {
            CallSite own = site;
            own.count = is_whole ? units_per_block(call, site.count, site.n_ranks) : site.count;
            all_.push_back({to_string(call.spec()), registry().make(call, own)});
        }
        for (const NamedOperation& one : all_) {
            std::ranges::copy(one.operation->set_up(), std::back_inserter(set_up_));
            if (one.operation->parts() != all_.front().operation->parts()) {
                throw usage_error("operation 'sequence': " + one.name + " and " + all_.front().name +
                                  " report different parts of their time, so that a sum of both has no meaning; use "
                                  "pingpong(time=round-trip)");
            }
        }
    }

    BoundCall bind() override {
        bound_.clear();
        for (const NamedOperation& one : all_) {
            bound_.push_back(one.operation->bind());
        }
        BoundCall::rehearse(bound_, [this] { (void)call_in_turn(bound_.data(), bound_.size()); });
        return BoundCall(call_in_turn, bound_.data(), bound_.size());
    }

    int try_call(std::string& misdeed) override {
        for (const NamedOperation& one : all_) {
            std::string own;
            if (const int code = one.operation->try_call(own); code != MPI_SUCCESS) {
                return code;
            }
            if (misdeed.empty() && !own.empty()) {
                misdeed = own + ", in " + one.name;
            }
        }
        return MPI_SUCCESS;
    }

    void advance() override {
        for (const NamedOperation& one : all_) {
            one.operation->advance();
        }
    }
    [[nodiscard]] std::span<const SetupCost> set_up() const override { return set_up_; }
    [[nodiscard]] std::uint64_t parts() const override { return all_.front().operation->parts(); }

    void fill(std::uint64_t seed) override {
        for (const NamedOperation& one : all_) {
            one.operation->fill(seed++);
        }
    }

    /// All are checked, because some checks are collective.
    [[nodiscard]] std::optional<Mismatch> check(std::uint64_t seed) const override {
        std::optional<Mismatch> first;
        for (const NamedOperation& one : all_) {
            auto wrong = found_in(one.name, one.operation->check(seed++));
            first = first ? first : std::move(wrong);
        }
        return first;
    }

private:
    static int call_in_turn(const BoundCall* calls, std::size_t n) {
        int code = MPI_SUCCESS;
        for (std::size_t i = 0; i < n && code == MPI_SUCCESS; ++i) {
            code = calls[i]();
        }
        return code;
    }

    struct NamedOperation {
        std::string name;
        std::unique_ptr<Operation> operation;
    };

    std::vector<NamedOperation> all_;
    std::vector<BoundCall> bound_;
    std::vector<SetupCost> set_up_;
};

/// A sequence of one operation is that operation itself: the indirect call through here would cost 2 ns, which a quiet
/// machine resolves.
std::unique_ptr<Operation> make_sequence(const Bound& bound, const CallSite& site) {
    const std::vector<Bound> all = sequence_of(bound);
    return all.size() == 1 ? registry().make(all.front(), site) : make_nesting<Sequence>(bound, site);
}

constexpr OperationMember sequence_member() {
    OperationMember member =
        nesting<Sequence>("sequence", "operations one after another, timed as one", sequence_parameters, sequence_of);
    member.make = make_sequence;
    return member;
}

} // namespace

extern constinit const OperationMember sequence = sequence_member();

} // namespace ictus::operation
