#include "clock/tsc_invariance.hpp"

#include <fstream>
#include <sstream>
#include <string>

namespace ictus {

bool has_invariant_counter() {
#if defined(__aarch64__)
    return true; // the architecture has one system counter
#else
    std::ifstream cpuinfo("/proc/cpuinfo");
    return tells_invariant_counter(cpuinfo);
#endif
}

bool tells_invariant_counter(std::istream& cpuinfo) {
    for (std::string line; std::getline(cpuinfo, line);) {
        if (line.rfind("flags", 0) != 0) {
            continue;
        }
        int found = 0;
        std::istringstream words(line);
        for (std::string word; words >> word;) {
            found += word == "constant_tsc" || word == "nonstop_tsc" ? 1 : 0;
        }
        return found == 2;
    }
    return false;
}

} // namespace ictus
