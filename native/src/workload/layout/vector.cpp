// `vector(blocklength, stride)`: runs of so many elements, each beginning a stride behind the one before
// (MPI_Type_vector), the gap behind the last run included: a column block of a matrix by rows.
#include "workload/layout/layout.hpp"

#include "base/error.hpp"
#include "mpi/check.hpp"

namespace ictus {
namespace {

using Type = Parameter::Type;

constexpr Parameter vector_parameters[] = {
    {.name = "blocklength",
     .type = Type::count,
     .default_value = "1",
     .help = "elements of a run",
     .minimum = 1,
     .maximum = 65536},
    {.name = "stride",
     .type = Type::count,
     .default_value = "2",
     .help = "elements from the begin of one run to the next",
     .minimum = 1,
     .maximum = 65536},
    {.name = "blocks",
     .type = Type::count,
     .default_value = "1",
     .help = "runs of a unit; a message is so many units",
     .minimum = 1,
     .maximum = 65536},
};

class VectorLayout final : public Layout {
public:
    VectorLayout(std::uint64_t blocklength, std::uint64_t stride, std::uint64_t blocks)
        : blocklength_(blocklength), stride_(stride), blocks_(blocks) {
        if (stride < blocklength) {
            throw usage_error("layout 'vector', parameter 'stride': " + std::to_string(stride) +
                              " is less than the blocklength, " + std::to_string(blocklength) +
                              ": the runs would overlap, and nothing could be received into them");
        }
    }

    [[nodiscard]] Shape shape() const override {
        Shape shape{.runs = {}, .extent = blocks_ * stride_};
        for (std::size_t block = 0; block < blocks_; ++block) {
            shape.runs.push_back({block * stride_, blocklength_});
        }
        return shape;
    }

    [[nodiscard]] mpi::DerivedType datatype(MPI_Datatype element) const override {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        mpi::check(MPI_Type_vector(static_cast<int>(blocks_), static_cast<int>(blocklength_), static_cast<int>(stride_),
                                   element, &type),
                   "MPI_Type_vector");
        return mpi::DerivedType(type).resized(element, blocks_ * stride_);
    }

private:
    std::size_t blocklength_;
    std::size_t stride_;
    std::size_t blocks_;
};

} // namespace

namespace layout {
extern const LayoutMember vector;
const LayoutMember vector = {{"vector", "runs of equal length at equal distances", "", vector_parameters},
                             [](const Bound& bound) -> std::unique_ptr<Layout> {
                                 return std::make_unique<VectorLayout>(bound.count("blocklength"),
                                                                       bound.count("stride"), bound.count("blocks"));
                             }};
} // namespace layout

} // namespace ictus
