// The members of family `layout`.
#include "workload/layout.hpp"

#include "base/error.hpp"
#include "mpi/handles.hpp"

namespace ictus {
namespace {

// `basic`: elements one behind the other, passed to MPI as a count of its own datatype.
class BasicLayout final : public Layout {
public:
    [[nodiscard]] bool is_derived() const override { return false; }
    [[nodiscard]] Shape shape() const override { return {}; }
    [[nodiscard]] mpi::DerivedType datatype(MPI_Datatype) const override { return {}; }
};

// `contiguous(k)`: the same memory as `basic`, passed to MPI as units of k elements (MPI_Type_contiguous): the cost of
// a derived datatype that changes nothing.
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

// `vector(blocklength, stride)`: runs of `blocklength` elements, each beginning a stride behind the one before
// (MPI_Type_vector), the gap behind the last run included: a column block of a matrix by rows.
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
     .help = "runs of a unit; a message is a number of units",
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

// `indexed(blocks, gap)`: runs of 1, 2, 3, ... elements with a gap behind each (MPI_Type_indexed): a triangle of a
// matrix, as an irregular datatype that no stride describes.
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
namespace {

const LayoutMember basic = {{"basic", "elements of MPI's own datatype, one behind the other", "", {}},
                            [](const Bound&) -> std::unique_ptr<Layout> { return std::make_unique<BasicLayout>(); }};

const LayoutMember contiguous = {{"contiguous", "units of several elements, without gaps", "", contiguous_parameters},
                                 [](const Bound& bound) -> std::unique_ptr<Layout> {
                                     return std::make_unique<ContiguousLayout>(bound.count("elements"));
                                 }};

const LayoutMember vector = {{"vector", "runs of equal length at equal distances", "", vector_parameters},
                             [](const Bound& bound) -> std::unique_ptr<Layout> {
                                 return std::make_unique<VectorLayout>(bound.count("blocklength"),
                                                                       bound.count("stride"), bound.count("blocks"));
                             }};

const LayoutMember indexed = {{"indexed", "runs of growing length with gaps between them", "", indexed_parameters},
                              [](const Bound& bound) -> std::unique_ptr<Layout> {
                                  return std::make_unique<IndexedLayout>(bound.count("blocks"), bound.count("gap"));
                              }};

} // namespace

const Registry<Layout>& registry() {
    static const Registry<Layout> all{
        "layout", "how the elements of a message lie in memory", {&basic, &contiguous, &vector, &indexed}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

std::uint64_t elements_of(const Bound& layout) { return registry().make(layout)->shape().n_elements(); }

} // namespace layout

} // namespace ictus
