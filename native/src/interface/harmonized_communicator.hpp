// The constants of MPIX_Harmonize as users set them: texts from the environment, hints on the communicator, or info.
// One table declares them (harmonize/settings.hpp); only `clock`, the clock to read, is declared here.
#pragma once

#include "base/parameter.hpp"
#include "harmonize/harmonizer.hpp"
#include "interface/clocked_communicator.hpp"
#include "mpi/foreign_communicator.hpp"

#include <mpi.h>
#include <string>
#include <utility>
#include <vector>

namespace ictus {

class HarmonizeConstants {
public:
    /// Defaults, then the environment, then hints on `comm` where the library keeps them. Throws a usage Error that
    /// names the variable or the key, the value, and what is allowed; so does merge.
    [[nodiscard]] static HarmonizeConstants read(MPI_Comm comm);
    /// Applies the keys of `info`. A key with our prefix that is unknown is an error.
    void merge(MPI_Info info);

    /// The member `harmonize` of family procsync with them, and the clock.
    [[nodiscard]] Bound procsync() const;
    [[nodiscard]] Bound clock() const;
    /// All of them, by info key; the same text makes the same constants.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> by_key() const;

    /// For rank 0 to tell the others.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] static HarmonizeConstants from_text(const std::string& text);

private:
    void set(const Parameter& parameter, const std::string& value, const std::string& from);

    std::vector<std::pair<std::string, std::string>>
        set_; ///< by parameter name: the values that differ from the defaults
};

// The object that MPIX_Harmonize attaches to a communicator.

class HarmonizedCommunicator final : public AttachedValue {
public:
    /// The object attached to `comm`; null: none yet.
    [[nodiscard]] static HarmonizedCommunicator* find(MPI_Comm comm);
    /// The same; collective where it must be made. Throws the same Error on all ranks.
    [[nodiscard]] static HarmonizedCommunicator& of(MPI_Comm comm);
    /// Collective: makes it anew with the keys of `info` and, for the rest, the constants so far.
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
