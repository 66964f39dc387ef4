// `indexed(blocks, gap)`: runs of 1, 2, 3, ... elements with a gap behind each (MPI_Type_indexed): a triangle of a
// matrix, as an irregular datatype that no stride describes.
#include "workload/layout/layout.hpp"

#include "mpi/check.hpp"

namespace ictus {
namespace {

using Type = Parameter::Type;

constexpr Parameter indexed_parameters[] = {
    {.name = "blocks",
     .type = Type::count,
     .default_value = "1",
     .help = "runs of a unit: of 1, 2, 3, ... elements",
     .minimum = 1,
     .maximum = 256},
    {.name = "gap",
     .type = Type::count,
     .default_value = "1",
     .help = "elements left out behind each run",
     .minimum = 0,
     .maximum = 65536},
};

class IndexedLayout final : public Layout {
public:
    IndexedLayout(std::uint64_t blocks, std::uint64_t gap) : blocks_(blocks), gap_(gap) {}

    [[nodiscard]] Shape shape() const override {
        Shape shape{.runs = {}, .extent = 0};
        for (std::size_t length = 1; length <= blocks_; ++length) {
            shape.runs.push_back({shape.extent, length});
            shape.extent += length + gap_;
        }
        return shape;
    }

    [[nodiscard]] mpi::DerivedType datatype(MPI_Datatype element) const override {
        const Shape mine = shape();
        std::vector<int> lengths;
        std::vector<int> displacements;
        for (const Shape::Run& run : mine.runs) {
            lengths.push_back(static_cast<int>(run.n));
            displacements.push_back(static_cast<int>(run.first));
        }
        MPI_Datatype type = MPI_DATATYPE_NULL;
        mpi::check(
            MPI_Type_indexed(static_cast<int>(lengths.size()), lengths.data(), displacements.data(), element, &type),
            "MPI_Type_indexed");
        return mpi::DerivedType(type).resized(element, mine.extent);
    }

private:
    std::size_t blocks_;
    std::size_t gap_;
};

} // namespace

namespace layout {
extern const LayoutMember indexed;
const LayoutMember indexed = {{"indexed", "runs of growing length with gaps between them", "", indexed_parameters},
                              [](const Bound& bound) -> std::unique_ptr<Layout> {
                                  return std::make_unique<IndexedLayout>(bound.count("blocks"), bound.count("gap"));
                              }};
} // namespace layout

} // namespace ictus
