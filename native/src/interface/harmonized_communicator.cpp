#include "interface/harmonized_communicator.hpp"

#include "mpi/agreement.hpp"

namespace ictus {
namespace {

CommAttribute& attribute() {
    static CommAttribute one;
    return one;
}

/// Rank 0's, read without error on all ranks. Values may not go together though each is right.
HarmonizeConstants agreed_constants(MPI_Comm comm, const HarmonizeConstants& own) {
    HarmonizeConstants constants = HarmonizeConstants::from_text(mpi::text_of_root(comm, own.text()));
    (void)harmonize::Settings(constants.procsync());
    return constants;
}

} // namespace

HarmonizedCommunicator* HarmonizedCommunicator::find(MPI_Comm comm) {
    return static_cast<HarmonizedCommunicator*>(attribute().find(comm));
}

HarmonizedCommunicator& HarmonizedCommunicator::of(MPI_Comm comm) {
    if (HarmonizedCommunicator* there = find(comm); there != nullptr) {
        return *there;
    }
    const HarmonizeConstants own = mpi::agreed(comm, [&] { return HarmonizeConstants::read(comm); });
    return make(comm, agreed_constants(comm, own));
}

void HarmonizedCommunicator::set(MPI_Comm comm, MPI_Info info) {
    const HarmonizedCommunicator* there = find(comm);
    const HarmonizeConstants own = mpi::agreed(comm, [&] {
        HarmonizeConstants constants = there != nullptr ? there->constants_ : HarmonizeConstants::read(comm);
        constants.merge(info);
        return constants;
    });
    make(comm, agreed_constants(comm, own));
}

HarmonizedCommunicator& HarmonizedCommunicator::make(MPI_Comm comm, HarmonizeConstants constants) {
    std::unique_ptr<HarmonizedCommunicator> made(new HarmonizedCommunicator(comm, std::move(constants)));
    HarmonizedCommunicator& one = *made;
    attribute().attach(comm, std::move(made));
    return one;
}

HarmonizedCommunicator::HarmonizedCommunicator(MPI_Comm comm, HarmonizeConstants constants)
    : constants_(std::move(constants)), communicator_(comm, constants_.clock()),
      harmonizer_(communicator_.transport(), harmonize::Settings(constants_.procsync())) {}

} // namespace ictus
