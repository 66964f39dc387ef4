// The operations of plug-ins, with the buffers and the check of the collective that they stand for.
#pragma once

#include "workload/operation/operation.hpp"

#include <memory>

namespace ictus::plugin {

/// The `make` of their members.
[[nodiscard]] std::unique_ptr<Operation> make_operation(const Bound& bound, const CallSite& site);

} // namespace ictus::plugin
