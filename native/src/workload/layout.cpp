// The members of family `layout` that are one constructor of MPI each, and the registry.
#include "workload/layout.hpp"

#include "base/error.hpp"

namespace ictus {

Layout::Layout(Tree tree, std::size_t extent) : tree_(std::move(tree)) {
    if (tree_) {
        shape_ = {.runs = tree_->runs(), .extent = extent};
    }
}

mpi::DerivedType Layout::datatype(MPI_Datatype element) const {
    return tree_ ? tree_->datatype(element).resized(element, shape_.extent) : mpi::DerivedType();
}

namespace layout {

std::unique_ptr<Layout> without_gap(const Tree& tree) { return with_extent(tree, tree->extent()); }
std::unique_ptr<Layout> with_extent(const Tree& tree, std::size_t extent) {
    return std::make_unique<Layout>(tree, extent);
}

namespace {

const LayoutMember basic = {{{"basic", "elements of MPI's own datatype, one after the other", "", {}},
                             [](const Bound&) { return std::make_unique<Layout>(Tree(), 1); }},
                            "1"};

// The same memory as `basic`: the cost of a derived datatype that changes nothing.
constexpr Parameter contiguous_parameters[] = {number("elements", "1", "elements of a unit")};
const LayoutMember contiguous = {
    {{"contiguous", "units of several elements, without gaps", "", contiguous_parameters},
     [](const Bound& bound) { return without_gap(type_tree::contiguous(bound.count("elements"))); }},
    "elements"};

void check_stride(const Bound& bound, std::string_view parameter, std::uint64_t least, const char* what) {
    const std::uint64_t stride = bound.count(parameter);
    if (stride < least) {
        throw usage_error("layout '" + std::string(bound.info().name) + "', parameter '" + std::string(parameter) +
                          "': " + std::to_string(stride) + " is less than " + what + ", " + std::to_string(least) +
                          ": the runs would overlap, and an overlapping datatype cannot receive");
    }
}

// A column block of a matrix by rows.
constexpr Parameter vector_parameters[] = {
    number("blocklength", "1", "elements of a run"),
    number("stride", "2", "elements from the beginning of one run to the next"),
    number("blocks", "1", "runs of a unit; a message is a number of units"),
};
const LayoutMember vector = {{{"vector", "runs of equal length at equal distances", "", vector_parameters},
                              [](const Bound& bound) {
                                  const std::uint64_t blocks = bound.count("blocks");
                                  const std::uint64_t stride = bound.count("stride");
                                  check_stride(bound, "stride", bound.count("blocklength"), "the blocklength");
                                  return with_extent(type_tree::vector(blocks, bound.count("blocklength"), stride),
                                                     blocks * stride);
                              }},
                             "blocklength*blocks"};

// A face of an array of three dimensions: a vector of vectors.
constexpr Parameter nested_vector_parameters[] = {
    number("blocklength", "1", "elements of a run", 4096),
    number("stride", "2", "elements from the beginning of one run to the next", 4096),
    number("blocks", "2", "runs of a plane", 4096),
    number("planes", "2", "planes of a unit", 4096),
    number("plane_stride", "8", "elements from the beginning of one plane to the next", 1 << 24),
};
const LayoutMember nested_vector = {
    {{"nested_vector", "planes at equal distances, each of runs at equal distances", "", nested_vector_parameters},
     [](const Bound& bound) {
         const std::uint64_t blocks = bound.count("blocks");
         const std::uint64_t stride = bound.count("stride");
         const std::uint64_t planes = bound.count("planes");
         const std::uint64_t plane_stride = bound.count("plane_stride");
         check_stride(bound, "stride", bound.count("blocklength"), "the blocklength");
         check_stride(bound, "plane_stride", blocks * stride, "a plane of blocks x stride");
         const Tree plane = type_tree::vector(blocks, bound.count("blocklength"), stride);
         return with_extent(type_tree::hvector(planes, plane_stride, plane), planes * plane_stride);
     }},
    "blocklength*blocks*planes"};

// Runs of 1, 2, 3, ... elements with a gap behind each: a triangle of a matrix, which no stride describes.
struct Triangle {
    std::vector<Shape::Run> runs;
    std::size_t extent = 0;

    explicit Triangle(const Bound& bound) {
        for (std::size_t length = 1; length <= bound.count("blocks"); ++length) {
            runs.push_back({extent, length});
            extent += length + bound.count("gap");
        }
    }
};

constexpr Parameter triangle_blocks(std::string_view usual) {
    return number("blocks", usual, "runs of a unit: of 1, 2, 3, ... elements", 256);
}
constexpr Parameter triangle_gap = number("gap", "1", "elements left out after each run", 65536, 0);
constexpr Parameter indexed_parameters[] = {triangle_blocks("1"), triangle_gap};
constexpr Parameter triangle_parameters[] = {triangle_blocks("4"), triangle_gap};
constexpr std::string_view triangle = "triangle(blocks)";

const LayoutMember indexed = {{{"indexed", "runs of growing length with gaps between them", "", indexed_parameters},
                               [](const Bound& bound) {
                                   const Triangle one(bound);
                                   return with_extent(type_tree::indexed(one.runs), one.extent);
                               }},
                              triangle};

const LayoutMember hindexed = {{{"hindexed", "as indexed, the displacements in bytes", "", triangle_parameters},
                                [](const Bound& bound) {
                                    const Triangle one(bound);
                                    return with_extent(type_tree::hindexed(one.runs), one.extent);
                                }},
                               triangle};

const LayoutMember structure = {{{"struct", "as indexed, each run a field of a structure", "", triangle_parameters},
                                 [](const Bound& bound) {
                                     const Triangle one(bound);
                                     std::vector<TypeTree::Block> fields;
                                     std::vector<Tree> types;
                                     for (const Shape::Run& run : one.runs) {
                                         fields.push_back({run.first, 1, types.size()});
                                         types.push_back(type_tree::contiguous(run.n));
                                     }
                                     return with_extent(type_tree::structure(fields, std::move(types)), one.extent);
                                 }},
                                triangle};

// The gap behind the i-th run is i times as long, so that no stride describes them.
constexpr Parameter indexed_block_parameters[] = {
    number("blocks", "4", "runs of a unit", 4096),
    number("blocklength", "1", "elements of a run", 65536),
    number("gap", "1", "elements left out after the first run; twice, three times, ... as many after the next runs",
           64),
};
const LayoutMember indexed_block = {
    {{"indexed_block", "runs of equal length at growing distances", "", indexed_block_parameters},
     [](const Bound& bound) {
         std::vector<std::size_t> places;
         std::size_t next = 0;
         for (std::size_t block = 1; block <= bound.count("blocks"); ++block) {
             places.push_back(next);
             next += bound.count("blocklength") + block * bound.count("gap");
         }
         return with_extent(type_tree::indexed_block(bound.count("blocklength"), places), next);
     }},
    "blocklength*blocks"};

constexpr Parameter subarray_parameters[] = {
    number("dimensions", "2", "dimensions of the array", 4),
    number("length", "2", "elements of the part in each dimension", 64),
    number("margin", "1", "elements of the array around the part", 64, 0),
};
const LayoutMember subarray = {
    {{"subarray", "the inner part of an array by rows", "", subarray_parameters},
     [](const Bound& bound) {
         const std::uint64_t whole = bound.count("length") + 2 * bound.count("margin");
         std::size_t extent = 1;
         for (std::uint64_t i = 0; i < bound.count("dimensions"); ++i) {
             extent *= whole;
         }
         return with_extent(
             type_tree::subarray(bound.count("dimensions"), bound.count("length"), bound.count("margin")), extent);
     }},
    "length^dimensions"};

} // namespace

const Registry<Layout>& registry() {
    static const Registry<Layout> all{
        "layout",
        "how the elements of a message lie in memory",
        {&basic,    &contiguous, &vector,      &indexed,       &nested_vector, &indexed_block, &hindexed,  &structure,
         &subarray, &flattened,  &normalised,  &milc_zdown,    &nas_lu_x,      &nas_lu_y,      &nas_mg_x,  &nas_mg_y,
         &nas_mg_z, &wrf,        &lammps_full, &lammps_atomic, &specfem_oc,    &specfem_cm,    &specfem_mt}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

// Every member of this family is a LayoutMember.
const LayoutMember& traits(std::string_view name) { return static_cast<const LayoutMember&>(family().find(name)); }

std::uint64_t elements_of(const Bound& layout) { return registry().make(layout)->shape().n_elements(); }

} // namespace layout

} // namespace ictus
