// Family barrier: no rank returns before all have entered. All but `library` are our own, over point-to-point messages,
// and so the same under every MPI library.
#pragma once

#include "base/registry.hpp"
#include "transport/transport.hpp"

namespace ictus {

class Barrier {
public:
    virtual ~Barrier() = default;
    virtual void wait(Transport& transport) = 0;
};

using BarrierMember = Member<Barrier>;

namespace barrier {
[[nodiscard]] const Registry<Barrier>& registry();
[[nodiscard]] const FamilyInfo& family();
} // namespace barrier

} // namespace ictus
