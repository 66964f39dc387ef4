// The main of tests on MPI: every rank runs every test, or those of the files that are named. One failed check ends the
// whole launch, for the other ranks may be waiting for messages that will never come.
#include "check.hpp"
#include "check_mpi.hpp"

#include <algorithm>
#include <cstdio>
#include <mpi.h>
#include <span>
#include <string_view>

namespace check {

namespace {

const ictus::mpi::Session* running = nullptr;

ictus::mpi::Threads& threads() {
    static ictus::mpi::Threads asked = ictus::mpi::Threads::as_is;
    return asked;
}

} // namespace

const ictus::mpi::Session& session() { return *running; }

NeedsThreads::NeedsThreads(ictus::mpi::Threads asked) { threads() = asked; }

} // namespace check

int main(int argc, char** argv) {
    const ictus::mpi::Session session(&argc, &argv, check::threads());
    const std::span<char*> files(argv + 1, argv + argc);
    check::running = &session;
    int run = 0;
    for (const check::Test& test : check::tests()) {
        if (!files.empty() && std::ranges::find(files, check::name_of(test.file, false)) == files.end()) {
            continue;
        }
        ++run;
        try {
            test.body();
        } catch (const std::exception& error) {
            std::printf("FAILED %s on rank %d of %d\n  %s\n", test.name, session.rank(), session.size(), error.what());
            std::fflush(stdout);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (session.rank() == 0) {
            std::printf("PASSED %s\n", test.name);
        }
    }
    if (session.rank() == 0) {
        std::printf("%d passed, 0 failed\n", run);
    }
    return run > 0 ? 0 : 1;
}
