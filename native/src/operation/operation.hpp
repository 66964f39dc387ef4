// Family operation: what is measured. A member is one MPI call with its buffers, and knows what each received element
// must be.
#pragma once

#include "core/registry.hpp"
#include "operation/datatype.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace ictus {

/// Where and on what an operation is called: one case on one rank.
struct CallSite {
    MPI_Comm comm = MPI_COMM_NULL; ///< not owned
    int rank = 0;
    int n_ranks = 1;
    int root = 0;
    const Datatype* datatype = nullptr;
    const Operator* reduction = nullptr;
    std::size_t count = 0; ///< elements of the message (volume `message`) or of one block (volume `blocks`)
};

/// How the total volume n of a case is laid out (guidelines.md, volume convention).
enum class Volume { none, message, blocks };
[[nodiscard]] std::string_view to_string(Volume volume);

/// A received element that is not what the payload says.
struct Mismatch {
    std::string where; ///< `element 7 of the receive buffer`, `guard byte behind the receive buffer`, ...
    std::string expected;
    std::string found;
};

class Operation {
public:
    virtual ~Operation() = default;
    Operation() = default;
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

    /// The timed call and nothing else. Returns MPI's code.
    virtual int call() = 0;
    /// Fills what is sent with the payload of `seed`, poisons what is received. Not timed.
    virtual void fill(std::uint64_t seed) = 0;
    /// After fill(seed) and one call(): the first element that is wrong on this rank.
    [[nodiscard]] virtual std::optional<Mismatch> check(std::uint64_t seed) const = 0;
};

/// What is known of an operation beyond a plain member.
struct OperationMember : Member<Operation, const CallSite&> {
    std::string_view mpi_name; ///< `MPI_Bcast`; empty for `empty`
    Volume volume = Volume::none;
    bool rooted = false;
    bool reduces = false;
};

namespace operation {
[[nodiscard]] const Registry<Operation, const CallSite&>& registry();
[[nodiscard]] const FamilyInfo& family();
[[nodiscard]] const OperationMember& traits(std::string_view name);
} // namespace operation

} // namespace ictus
