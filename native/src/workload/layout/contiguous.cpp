// `contiguous(k)`: the same memory as `basic`, told to MPI as units of k elements (MPI_Type_contiguous). What a library
// loses on a derived datatype that hides nothing.
#include "workload/layout/layout.hpp"

#include "mpi/check.hpp"

namespace ictus {
namespace {

constexpr Parameter contiguous_parameters[] = {
    {.name = "elements",
     .type = Parameter::Type::count,
     .default_value = "1",
     .help = "elements of a unit",
     .minimum = 1,
     .maximum = 65536},
};

class ContiguousLayout final : public Layout {
public:
    explicit ContiguousLayout(std::uint64_t elements) : elements_(elements) {}

    [[nodiscard]] Shape shape() const override { return {.runs = {{0, elements_}}, .extent = elements_}; }

    [[nodiscard]] mpi::DerivedType datatype(MPI_Datatype element) const override {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        mpi::check(MPI_Type_contiguous(static_cast<int>(elements_), element, &type), "MPI_Type_contiguous");
        return mpi::DerivedType(type);
    }

private:
    std::size_t elements_;
};

} // namespace

namespace layout {
extern const LayoutMember contiguous;
const LayoutMember contiguous = {{"contiguous", "units of so many elements, without gaps", "", contiguous_parameters},
                                 [](const Bound& bound) -> std::unique_ptr<Layout> {
                                     return std::make_unique<ContiguousLayout>(bound.count("elements"));
                                 }};
} // namespace layout

} // namespace ictus
