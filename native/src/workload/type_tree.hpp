// A derived datatype as the tree of MPI's constructors that builds it. Where its elements lie is computed here, without
// MPI, which the bytes of every message are compared with.
#pragma once

#include "mpi/handles.hpp"
#include "workload/operation/shape.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace ictus {

class TypeTree;
/// Null: an element itself.
using Tree = std::shared_ptr<const TypeTree>;

class TypeTree {
public:
    /// `n` copies of a child, one behind the other, the first `at` elements behind the begin.
    struct Block {
        std::size_t at;
        std::size_t n;
        std::size_t child = 0;
    };
    /// MPI's constructor, called with the datatypes of the children and the bytes of an element.
    using Construct = std::function<MPI_Datatype(std::span<const MPI_Datatype> children, MPI_Aint element_bytes)>;

    TypeTree(std::vector<Block> blocks, std::vector<Tree> children, Construct construct);

    /// Elements from the begin of one to the begin of the next, without a gap behind the last element.
    [[nodiscard]] std::size_t extent() const { return extent_; }
    /// In the order of the message; what is adjacent is one run.
    [[nodiscard]] std::vector<Shape::Run> runs() const;
    [[nodiscard]] mpi::DerivedType datatype(MPI_Datatype element) const;

private:
    void append_to(std::vector<Shape::Run>& runs, std::size_t at) const;

    std::vector<Block> blocks_;
    std::vector<Tree> children_;
    Construct construct_;
    std::size_t extent_ = 0;
};

/// One function for each constructor of MPI. Their first block begins at 0, except in a subarray.
namespace type_tree {

[[nodiscard]] Tree contiguous(std::size_t n, Tree child = {});
/// `stride` counts extents of the child.
[[nodiscard]] Tree vector(std::size_t count, std::size_t blocklength, std::size_t stride, Tree child = {});
/// `stride` counts elements, which MPI is told in bytes.
[[nodiscard]] Tree hvector(std::size_t count, std::size_t stride, Tree child);
[[nodiscard]] Tree indexed_block(std::size_t blocklength, const std::vector<std::size_t>& places);
[[nodiscard]] Tree indexed(const std::vector<Shape::Run>& runs);
/// As `indexed`, the displacements in bytes.
[[nodiscard]] Tree hindexed(const std::vector<Shape::Run>& runs);
/// MPI_Type_create_struct of a block for each child, at these elements.
[[nodiscard]] Tree structure(const std::vector<TypeTree::Block>& blocks, std::vector<Tree> children);
/// A cube of `length` in each dimension, with `margin` around it in an array by rows.
[[nodiscard]] Tree subarray(std::size_t dimensions, std::size_t length, std::size_t margin);

} // namespace type_tree
} // namespace ictus
