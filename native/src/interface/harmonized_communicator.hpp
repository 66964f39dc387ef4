// What MPIX_Harmonize keeps with a communicator.
#pragma once

#include "harmonize/harmonizer.hpp"
#include "interface/clocked_communicator.hpp"
#include "interface/comm_attribute.hpp"
#include "interface/harmonize_constants.hpp"

namespace ictus {

class HarmonizedCommunicator final : public Attached {
public:
    /// What is kept with `comm`; null: nothing yet.
    [[nodiscard]] static HarmonizedCommunicator* find(MPI_Comm comm);
    /// The same; collective where it must be made. Throws the same Error on all ranks.
    [[nodiscard]] static HarmonizedCommunicator& of(MPI_Comm comm);
    /// Collective: makes it anew with what `info` says and, for the rest, the constants of before.
    static void set(MPI_Comm comm, MPI_Info info);

    [[nodiscard]] Order order() const override { return communicator_.order(); }
    [[nodiscard]] Harmonizer& harmonizer() { return harmonizer_; }
    [[nodiscard]] Transport& transport() { return communicator_.transport(); }
    [[nodiscard]] const HarmonizeConstants& constants() const { return constants_; }

private:
    HarmonizedCommunicator(MPI_Comm comm, HarmonizeConstants constants);
    static HarmonizedCommunicator& make(MPI_Comm comm, HarmonizeConstants constants);

    HarmonizeConstants constants_;
    ClockedCommunicator communicator_;
    Harmonizer harmonizer_;
};

} // namespace ictus
