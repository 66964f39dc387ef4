#include "workload/type_tree.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace ictus {
namespace {

std::size_t extent_of(const Tree& tree) { return tree ? tree->extent() : 1; }

/// MPI counts blocks and most displacements by ints.
int to_int(std::size_t number) {
    if (number > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw usage_error("layout: a count or displacement of " + std::to_string(number) +
                          " elements does not fit an int, with which MPI counts; choose smaller parameters");
    }
    return static_cast<int>(number);
}

std::vector<int> to_ints(const std::vector<std::size_t>& numbers) {
    std::vector<int> ints(numbers.size());
    std::ranges::transform(numbers, ints.begin(), to_int);
    return ints;
}

/// The datatype that `create(MPI_Datatype*)`, MPI's function of this name, makes.
template <class Create>
MPI_Datatype made(const char* name, Create create) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    mpi::check(create(&type), name);
    return type;
}

} // namespace

TypeTree::TypeTree(std::vector<Block> blocks, std::vector<Tree> children, Construct construct)
    : blocks_(std::move(blocks)), children_(std::move(children)), construct_(std::move(construct)) {
    for (const Block& block : blocks_) {
        extent_ = std::max(extent_, block.at + block.n * extent_of(children_[block.child]));
    }
}

std::vector<Shape::Run> TypeTree::runs() const {
    std::vector<Shape::Run> runs;
    append_to(runs, 0);
    return runs;
}

void TypeTree::append_to(std::vector<Shape::Run>& runs, std::size_t at) const {
    for (const Block& block : blocks_) {
        const Tree& child = children_[block.child];
        if (child) {
            for (std::size_t i = 0; i < block.n; ++i) {
                child->append_to(runs, at + block.at + i * child->extent());
            }
        } else if (!runs.empty() && runs.back().first + runs.back().n == at + block.at) {
            runs.back().n += block.n;
        } else {
            runs.push_back({at + block.at, block.n});
        }
    }
}

mpi::DerivedType TypeTree::datatype(MPI_Datatype element) const {
    std::vector<mpi::DerivedType> owned; // only until the constructor has used them
    std::vector<MPI_Datatype> children;
    for (const Tree& child : children_) {
        if (child) {
            owned.push_back(child->datatype(element));
        }
        children.push_back(child ? owned.back().handle() : element);
    }
    MPI_Aint lower = 0;
    MPI_Aint element_bytes = 0;
    mpi::check(MPI_Type_get_extent(element, &lower, &element_bytes), "MPI_Type_get_extent");
    return mpi::DerivedType(construct_(children, element_bytes));
}

namespace type_tree {
namespace {

std::vector<TypeTree::Block> blocks_at(const std::vector<std::size_t>& places, std::size_t blocklength,
                                       std::size_t unit) {
    std::vector<TypeTree::Block> blocks;
    for (const std::size_t place : places) {
        blocks.push_back({place * unit, blocklength});
    }
    return blocks;
}

std::vector<std::size_t> multiples(std::size_t count, std::size_t stride) {
    std::vector<std::size_t> places(count);
    for (std::size_t i = 0; i < count; ++i) {
        places[i] = i * stride;
    }
    return places;
}

std::vector<TypeTree::Block> blocks_of(const std::vector<Shape::Run>& runs) {
    std::vector<TypeTree::Block> blocks;
    for (const Shape::Run& run : runs) {
        blocks.push_back({run.first, run.n});
    }
    return blocks;
}

std::vector<int> lengths_of(const std::vector<TypeTree::Block>& blocks) {
    std::vector<int> lengths;
    for (const TypeTree::Block& block : blocks) {
        lengths.push_back(to_int(block.n));
    }
    return lengths;
}

std::vector<MPI_Aint> bytes_of(const std::vector<TypeTree::Block>& blocks, MPI_Aint element_bytes) {
    std::vector<MPI_Aint> bytes;
    for (const TypeTree::Block& block : blocks) {
        bytes.push_back(static_cast<MPI_Aint>(block.at) * element_bytes);
    }
    return bytes;
}

} // namespace

Tree contiguous(std::size_t n, Tree child) {
    return std::make_shared<TypeTree>(std::vector<TypeTree::Block>{{0, n}}, std::vector{std::move(child)},
                                      [n](std::span<const MPI_Datatype> children, MPI_Aint) {
                                          return made("MPI_Type_contiguous", [&](MPI_Datatype* type) {
                                              return MPI_Type_contiguous(to_int(n), children[0], type);
                                          });
                                      });
}

Tree vector(std::size_t count, std::size_t blocklength, std::size_t stride, Tree child) {
    auto blocks = blocks_at(multiples(count, stride), blocklength, extent_of(child));
    return std::make_shared<TypeTree>(
        std::move(blocks), std::vector{std::move(child)}, [=](std::span<const MPI_Datatype> children, MPI_Aint) {
            return made("MPI_Type_vector", [&](MPI_Datatype* type) {
                return MPI_Type_vector(to_int(count), to_int(blocklength), to_int(stride), children[0], type);
            });
        });
}

Tree hvector(std::size_t count, std::size_t stride, Tree child) {
    return std::make_shared<TypeTree>(blocks_at(multiples(count, stride), 1, 1), std::vector{std::move(child)},
                                      [=](std::span<const MPI_Datatype> children, MPI_Aint element_bytes) {
                                          return made("MPI_Type_create_hvector", [&](MPI_Datatype* type) {
                                              return MPI_Type_create_hvector(
                                                  to_int(count), 1, static_cast<MPI_Aint>(stride) * element_bytes,
                                                  children[0], type);
                                          });
                                      });
}

Tree indexed_block(std::size_t blocklength, const std::vector<std::size_t>& places) {
    return std::make_shared<TypeTree>(
        blocks_at(places, blocklength, 1), std::vector<Tree>(1), [=](std::span<const MPI_Datatype> children, MPI_Aint) {
            const std::vector<int> displacements = to_ints(places);
            return made("MPI_Type_create_indexed_block", [&](MPI_Datatype* type) {
                return MPI_Type_create_indexed_block(to_int(places.size()), to_int(blocklength), displacements.data(),
                                                     children[0], type);
            });
        });
}

Tree indexed(const std::vector<Shape::Run>& runs) {
    const auto blocks = blocks_of(runs);
    return std::make_shared<TypeTree>(
        blocks, std::vector<Tree>(1), [blocks](std::span<const MPI_Datatype> children, MPI_Aint) {
            const std::vector<int> lengths = lengths_of(blocks);
            std::vector<int> displacements;
            for (const TypeTree::Block& block : blocks) {
                displacements.push_back(to_int(block.at));
            }
            return made("MPI_Type_indexed", [&](MPI_Datatype* type) {
                return MPI_Type_indexed(to_int(blocks.size()), lengths.data(), displacements.data(), children[0], type);
            });
        });
}

Tree hindexed(const std::vector<Shape::Run>& runs) {
    const auto blocks = blocks_of(runs);
    return std::make_shared<TypeTree>(blocks, std::vector<Tree>(1),
                                      [blocks](std::span<const MPI_Datatype> children, MPI_Aint element_bytes) {
                                          const std::vector<int> lengths = lengths_of(blocks);
                                          const std::vector<MPI_Aint> displacements = bytes_of(blocks, element_bytes);
                                          return made("MPI_Type_create_hindexed", [&](MPI_Datatype* type) {
                                              return MPI_Type_create_hindexed(to_int(blocks.size()), lengths.data(),
                                                                              displacements.data(), children[0], type);
                                          });
                                      });
}

Tree structure(const std::vector<TypeTree::Block>& blocks, std::vector<Tree> children) {
    return std::make_shared<TypeTree>(blocks, std::move(children),
                                      [blocks](std::span<const MPI_Datatype> made_of, MPI_Aint element_bytes) {
                                          const std::vector<int> lengths = lengths_of(blocks);
                                          const std::vector<MPI_Aint> displacements = bytes_of(blocks, element_bytes);
                                          std::vector<MPI_Datatype> types;
                                          for (const TypeTree::Block& block : blocks) {
                                              types.push_back(made_of[block.child]);
                                          }
                                          return made("MPI_Type_create_struct", [&](MPI_Datatype* type) {
                                              return MPI_Type_create_struct(to_int(blocks.size()), lengths.data(),
                                                                            displacements.data(), types.data(), type);
                                          });
                                      });
}

Tree subarray(std::size_t dimensions, std::size_t length, std::size_t margin) {
    const std::size_t whole = length + 2 * margin;
    std::vector<std::size_t> rows{0};
    std::size_t row_length = 1;
    for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
        std::vector<std::size_t> next;
        const bool is_last = dimension + 1 == dimensions; // elements of a row are one block
        for (const std::size_t row : rows) {
            for (std::size_t i = 0; i < (is_last ? 1 : length); ++i) {
                next.push_back(row * whole + margin + i);
            }
        }
        rows = std::move(next);
        row_length = is_last ? length : 1;
    }
    return std::make_shared<TypeTree>(
        blocks_at(rows, row_length, 1), std::vector<Tree>(1), [=](std::span<const MPI_Datatype> children, MPI_Aint) {
            const std::vector<int> sizes(dimensions, to_int(whole));
            const std::vector<int> subsizes(dimensions, to_int(length));
            const std::vector<int> starts(dimensions, to_int(margin));
            return made("MPI_Type_create_subarray", [&](MPI_Datatype* type) {
                return MPI_Type_create_subarray(to_int(dimensions), sizes.data(), subsizes.data(), starts.data(),
                                                MPI_ORDER_C, children[0], type);
            });
        });
}

} // namespace type_tree
} // namespace ictus
