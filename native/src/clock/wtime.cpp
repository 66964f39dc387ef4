#include "clock/wtime.hpp"

namespace ictus {

const ClockMember clock::wtime = {{"wtime", "MPI_Wtime, whatever the library reads there", "", {}},
                                  [](const Bound& bound, const ClockPlace& place) -> std::unique_ptr<Clock> {
                                      return std::make_unique<WtimeClock>(bound, place);
                                  }};

} // namespace ictus
