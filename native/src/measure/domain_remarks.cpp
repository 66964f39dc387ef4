#include "measure/domain_remarks.hpp"

namespace ictus {

std::vector<std::string> opening_domain_remarks(Workplace& workplace) {
    std::vector<std::string> remarks;
    for (const std::string& split : clocksync::describe_splits(workplace.transport(), workplace.domains())) {
        remarks.push_back("clock domain split: " + split + "; --clock-domain rank claims none");
    }
    return remarks;
}

std::vector<std::string> closing_domain_remarks(Workplace& workplace) {
    const clocksync::Domains now =
        clocksync::verify_domains(workplace.transport(), workplace.domains().leader_of, {.exchanges = 20});
    std::vector<std::string> remarks;
    for (const std::string& split : clocksync::describe_splits(workplace.transport(), now)) {
        remarks.push_back("clock domain lost during the launch: " + split +
                          ", although it seemed so at the beginning; repeat it with --clock-domain rank");
    }
    return remarks;
}

} // namespace ictus
