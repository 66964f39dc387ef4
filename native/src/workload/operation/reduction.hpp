// A reduction operator ready for a call: MPI's own, or one from a function of ours, which the destructor frees. MPI
// passes such a function a datatype, and it must know the layout of the elements; so the constructor takes the layout.
#pragma once

#include "workload/operation/datatype.hpp"
#include "workload/operation/shape.hpp"

#include <memory>

namespace ictus::operation {

class Reduction {
public:
    /// No operator.
    Reduction();
    /// For units of `shape` in the datatype `type`, as long as this object lives.
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
