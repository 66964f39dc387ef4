// A reduction operator ready for a call: MPI's own, or one that is made of a function of ours and freed with it. Such a
// function is handed a datatype and must know how its elements lie, so whoever reduces with it says that beforehand.
#pragma once

#include "workload/operation/datatype.hpp"
#include "workload/operation/shape.hpp"

#include <memory>

namespace ictus::operation {

class Reduction {
public:
    /// Reduces nothing.
    Reduction();
    /// For units of `shape` in the datatype `type`, for as long as this lives.
    Reduction(const Operator& reduction, MPI_Datatype type, const Element& element, const Shape& shape);
    ~Reduction();
    Reduction(Reduction&& other) noexcept;
    Reduction& operator=(Reduction&& other) noexcept;

    [[nodiscard]] MPI_Op handle() const { return handle_; }

    struct Operand; ///< what a function of ours knows of a datatype

private:
    MPI_Op handle_ = MPI_OP_NULL;
    std::unique_ptr<Operand> operand_; ///< of a function of ours
};

} // namespace ictus::operation
