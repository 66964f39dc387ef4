// MPI_Compare_and_swap, which works on one element: every rank compares each element in the window of the next rank
// with one of its own and, where both are alike, puts a third in its place. It fetches what was there.
//
// The send buffer holds two messages: the window starts with the second one of the rank that works on it. With
// `outcome=swap` a call finds the one and leaves the other, and the next call does the contrary, so that every call
// swaps. With `outcome=keep` it compares with the first message, which is not there, as a process does that waits for a
// lock; an element that is the same in both messages is swapped for itself.
//
// MPI compares integers: floating-point elements are compared as integers of their size, bit by bit, as programs do.
#include "workload/operation/fetching.hpp"

namespace ictus::operation {
namespace {

constexpr Parameter compare_and_swap_parameters[] = {
    one_sided_parameters[0],
    one_sided_parameters[1],
    {.name = "outcome",
     .type = Parameter::Type::choice,
     .default_value = "swap",
     .help =
         "result of every comparison: the elements are equal and swapped, or they differ and the window keeps its own",
     .choices = "swap keep"},
};

class CompareAndSwap final : public Fetching {
public:
    CompareAndSwap(const OperationMember& member, const Bound& bound, const CallSite& site)
        : Fetching(member, bound, require_single_elements(member, site), 2), keeps_(bound.text("outcome") == "keep"),
          compared_type_(compared_type(*site.datatype)) {}

    BoundCall bind() override {
        return bind_epoch(BoundCall(+[](CompareAndSwap* one) { return one->compare_all(); }, this));
    }

    [[nodiscard]] std::size_t n_elements() const { return count<std::size_t>(); }
    int access(std::size_t element) const {
        const std::size_t at = element * element_bytes();
        return MPI_Compare_and_swap(swapped_in_ + at, compared_ + at, fetched() + at, compared_type_, next(),
                                    static_cast<MPI_Aint>(at), window());
    }

private:
    int compare_all() {
        std::byte* const other = send() + sent().first(other_block) * bytes_per_unit();
        swapped_in_ = is_swapped_ ? other : send();
        compared_ = is_swapped_ || keeps_ ? send() : other;
        is_swapped_ = !is_swapped_ && !keeps_;
        return for_each_element(*this)();
    }

    void filled() override {
        Fetching::filled();
        is_swapped_ = false;
    }

    [[nodiscard]] BlockSource block_source(int block) const override {
        if (block == fetched_block) {
            return BlockSource::rank(rank(), sent().first(other_block));
        }
        return BlockSource::rank(before(), keeps_ ? sent().first(other_block) : 0);
    }
    [[nodiscard]] std::optional<BlockSource> operand() const override {
        return BlockSource::rank(before(), sent().first(other_block));
    }

    static MPI_Datatype compared_type(const Datatype& datatype) {
        if (datatype.kind != ElementKind::floating) {
            return datatype.handle();
        }
        static_assert(sizeof(float) == sizeof(std::int32_t) && sizeof(double) == sizeof(std::int64_t));
        return datatype.size_bytes == sizeof(std::int32_t) ? MPI_INT32_T : MPI_INT64_T;
    }

    static constexpr int other_block = 1; ///< of the send buffer

    bool keeps_;
    MPI_Datatype compared_type_;
    bool is_swapped_ = false; ///< whether the next rank's window holds the first message
    std::byte* swapped_in_ = nullptr;
    std::byte* compared_ = nullptr;
};

} // namespace

extern constinit const OperationMember compare_and_swap = composed<CompareAndSwap>(
    "compare_and_swap", "MPI_Compare_and_swap",
    {
        .summary = "every element in the window of the next rank replaced by another, if it is the expected one",
        .volume = Volume::message,
        .since = "3.0",
        .parameters = compare_and_swap_parameters,
    });

} // namespace ictus::operation
