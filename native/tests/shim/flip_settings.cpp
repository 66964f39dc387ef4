#include "shim/flip_settings.hpp"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>

namespace ictus::shim {
namespace {

[[noreturn]] void refuse(const char* variable, const char* value, const char* allowed) {
    std::fprintf(stderr, "ictus-flip: %s='%s' is not %s\n", variable, value, allowed);
    PMPI_Abort(MPI_COMM_WORLD, 2);
    std::abort();
}

long count_from(const char* variable) {
    const char* const text = std::getenv(variable);
    if (text == nullptr) {
        return 0;
    }
    char* end = nullptr;
    const long value = std::strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 0) {
        refuse(variable, text, "a whole number, not negative");
    }
    return value;
}

FlipSettings::Mode mode_from(const char* variable) {
    using Mode = FlipSettings::Mode;
    const char* const text = std::getenv(variable);
    const std::string_view word = text == nullptr ? "flip" : text;
    if (word == "flip") {
        return Mode::flip;
    }
    if (word == "truncate") {
        return Mode::truncate;
    }
    if (word == "skip") {
        return Mode::skip;
    }
    if (word == "early") {
        return Mode::early;
    }
    refuse(variable, text, "one of flip, truncate, skip, early");
}

FlipSettings read() {
    const char* const operation = std::getenv("ICTUS_FLIP_OPERATION");
    return {operation == nullptr ? "" : operation,
            count_from("ICTUS_FLIP_RANK"),
            static_cast<std::size_t>(count_from("ICTUS_FLIP_BYTE")),
            mode_from("ICTUS_FLIP_MODE"),
            count_from("ICTUS_FLIP_CALL"),
            std::getenv("ICTUS_FLIP_TAG") == nullptr ? std::nullopt : std::optional(count_from("ICTUS_FLIP_TAG"))};
}

} // namespace

const FlipSettings& flip_settings() {
    static const FlipSettings settings = read();
    return settings;
}

} // namespace ictus::shim
