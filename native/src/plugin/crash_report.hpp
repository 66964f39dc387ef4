// Says of a rank that ends while an operation of a plug-in is in use, that it was the plug-in: by a signal, by exit(),
// or because it does not return and the launch is ended. Whoever reads "ended by SIGSEGV" would look for the fault in
// Ictus.
#pragma once

#include "record/crash.hpp"

#include <cstdint>

namespace ictus::plugin {

struct Declaration;

/// What is reported (record/crash.hpp) while an operation is in use.
class Suspect {
public:
    explicit Suspect(const Declaration& declaration);
    ~Suspect();
    Suspect(const Suspect&) = delete;
    Suspect& operator=(const Suspect&) = delete;

    /// This operation is used from now on.
    void accuse();

    /// Of each signal: what is certain where the code of the plug-in is on the stack, and what is not.
    record::CrashReports in_plugin;
    record::CrashReports elsewhere;
    record::CrashReport exited; ///< by exit() in the code of the plug-in
    std::uintptr_t begin = 0;   ///< of the plug-in's code and data in memory
    std::uintptr_t end = 0;
};

} // namespace ictus::plugin
