// One operation several times in a row, timed as one call: the right side of GL2, which compares it with a call of k
// times the volume. All calls have the same buffers, as in a benchmark of the operation alone.
//
// Validation fills and checks each of the calls separately: checking only the last would hide earlier errors, and a
// call in place continues from its own result.
#include "workload/operation/nested.hpp"

namespace ictus::operation {
namespace {

constexpr Parameter repeated_parameters[] = {
    {.name = "operation",
     .type = Parameter::Type::member,
     .default_value = "bcast",
     .help = "what is called",
     .family = &family},
    {.name = "times",
     .type = Parameter::Type::count,
     .default_value = "2",
     .help = "calls in a row, which are timed together",
     .minimum = 1,
     .maximum = 1'000'000},
};

std::vector<Bound> repeated_one(const Bound& call) { return {call.member("operation")}; }

class Repeated final : public Operation {
public:
    Repeated(const Bound& bound, const CallSite& site)
        : name_(to_string(bound.member("operation").spec())), one_(registry().make(bound.member("operation"), site)),
          times_(bound.count("times")) {}

    BoundCall bind() override {
        if (is_filled_) {
            return BoundCall::run(*this);
        }
        bound_ = one_->bind();
        BoundCall::rehearse({&bound_, 1}, [this] { (void)call_repeatedly(&bound_, 1); });
        return BoundCall(call_repeatedly, &bound_, times_);
    }

    int try_call(std::string& misdeed) override {
        const int code = run();
        misdeed = misdeed_;
        return code;
    }

    void advance() override { one_->advance(); }
    [[nodiscard]] std::span<const SetupCost> set_up() const override { return one_->set_up(); }
    [[nodiscard]] std::uint64_t parts() const override { return one_->parts(); }

    void fill(std::uint64_t seed) override {
        one_->fill(seed);
        seed_ = seed;
        is_filled_ = true;
        is_called_ = false;
    }

    [[nodiscard]] std::optional<Mismatch> check(std::uint64_t seed) const override {
        is_filled_ = false;
        if (!is_called_) {
            return one_->check(seed);
        }
        return seed == seed_ ? wrong_ : one_->check(seed + times_ - 1); // the payload of the last call
    }

private:
    static int call_repeatedly(const BoundCall* one, std::uint64_t times) {
        int code = MPI_SUCCESS;
        for (; times > 0 && code == MPI_SUCCESS; --times) {
            code = (*one)();
        }
        return code;
    }

    friend BoundCall;
    /// The same calls with validation: `wrong_` is the first wrong element. All calls are checked, because some checks
    /// are collective.
    int run() {
        is_called_ = true;
        wrong_.reset();
        misdeed_.clear();
        for (std::uint64_t i = 0; i < times_; ++i) {
            one_->fill(seed_ + i);
            std::string own;
            const int code = one_->try_call(own);
            if (misdeed_.empty() && !own.empty()) {
                misdeed_ = own + ", in " + name_;
            }
            if (code != MPI_SUCCESS) {
                return code;
            }
            auto wrong = found_in("call " + std::to_string(i + 1) + " of " + std::to_string(times_) + ", " + name_,
                                  one_->check(seed_ + i));
            wrong_ = wrong_ ? wrong_ : std::move(wrong);
        }
        return MPI_SUCCESS;
    }

    std::string name_;
    std::unique_ptr<Operation> one_;
    std::uint64_t times_;
    BoundCall bound_;
    std::uint64_t seed_ = 0;
    mutable bool is_filled_ = false; ///< true between fill() and check(), never during a timed call
    bool is_called_ = false;
    std::optional<Mismatch> wrong_;
    std::string misdeed_;
};

} // namespace

extern constinit const OperationMember repeated =
    nesting<Repeated>("repeated", "calls of one operation in a row, timed as one", repeated_parameters, repeated_one);

} // namespace ictus::operation
