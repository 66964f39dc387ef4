// The mock-ups as operations (mockup/algorithm.hpp), with the buffers of what they stand for and the same check of what
// arrives. Memory that one needs besides them is made with it, outside of what is timed; copying into and out of it is
// timed, because whoever replaces the call pays for it (Hunold, Carpen-Amarie, Luebbe and Traeff 2016, app. A).
#pragma once

#include "workload/operation/operation.hpp"

#include <span>

namespace ictus::operation {

[[nodiscard]] std::span<const OperationMember> mockups();

} // namespace ictus::operation
