#include "plugin/crash_report.hpp"

#include "plugin/library.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <link.h>
#include <unwind.h>

namespace ictus::plugin {
namespace {

std::atomic<Suspect*> accused = nullptr;

struct Search {
    const Suspect* suspect;
    bool is_found;
};

_Unwind_Reason_Code look(_Unwind_Context* frame, void* argument) {
    auto* const search = static_cast<Search*>(argument);
    const std::uintptr_t at = _Unwind_GetIP(frame);
    search->is_found = search->is_found || (at >= search->suspect->begin && at < search->suspect->end);
    return search->is_found ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/// Whether its code is on the stack.
bool is_running(const Suspect& suspect) {
    Search search{&suspect, false};
    _Unwind_Backtrace(look, &search);
    return search.is_found;
}

record::CrashReport* report_of(std::size_t which) {
    Suspect* const suspect = accused.exchange(nullptr);
    if (suspect == nullptr) {
        return nullptr;
    }
    if (is_running(*suspect)) {
        return &suspect->in_plugin[which];
    }
    // Libraries abort where another rank has ended the launch, and launchers end all other ranks.
    const int number = record::fatal_signals[which].number;
    return number == SIGABRT || number == SIGTERM ? nullptr : &suspect->elsewhere[which];
}

void report_exit() {
    Suspect* const suspect = accused.exchange(nullptr);
    if (suspect != nullptr && is_running(*suspect)) {
        record::write_crash_report(suspect->exited);
    }
}

struct Extent {
    const char* path;
    std::uintptr_t begin;
    std::uintptr_t end;
};

int find_extent(dl_phdr_info* info, std::size_t, void* argument) {
    auto* const extent = static_cast<Extent*>(argument);
    if (std::string_view(info->dlpi_name) != extent->path) {
        return 0;
    }
    for (const auto& part : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
        if (part.p_type == PT_LOAD) {
            const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
            extent->begin = extent->begin == 0 ? begin : std::min(extent->begin, begin);
            extent->end = std::max(extent->end, begin + part.p_memsz);
        }
    }
    return 1;
}

} // namespace

Suspect::Suspect(const Declaration& declaration) {
    const link_map& map = *static_cast<const link_map*>(declaration.library->handle);
    Extent extent{map.l_name, 0, 0};
    dl_iterate_phdr(find_extent, &extent);
    begin = extent.begin;
    end = extent.end;
    const std::string name = title(declaration);
    for (std::size_t i = 0; i < record::fatal_signals.size(); ++i) {
        const std::string signal = record::describe(record::fatal_signals[i]);
        in_plugin[i] = record::fatal_signals[i].number == SIGTERM
                           ? record::make_crash_report("ended", name + " had not returned when the launch was ended")
                           : record::make_crash_report("measurement", name + " crashed (" + signal + ")");
        elsewhere[i] = record::make_crash_report("measurement", "a crash (" + signal + ") while " + name +
                                                                    " was in use, but not in its code: it may have "
                                                                    "overwritten memory");
    }
    exited = record::make_crash_report("measurement", name + " ended its process instead of returning");
}

Suspect::~Suspect() {
    Suspect* self = this;
    accused.compare_exchange_strong(self, nullptr);
}

void Suspect::accuse() {
    [[maybe_unused]] static const bool is_registered = std::atexit(report_exit) == 0; // after all of MPI_Init
    accused = this;
    record::set_crash_witness(report_of);
}

} // namespace ictus::plugin
