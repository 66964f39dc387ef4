#include "study/study.hpp"

namespace ictus::study {

extern const StudyMember accuracy;
extern const StudyMember drift;
extern const StudyMember rtt;
extern const StudyMember frequency;
extern const StudyMember exit_skew;
extern const StudyMember overlap;
extern const StudyMember network;
extern const StudyMember communicators;

std::span<const StudyMember* const> registry() {
    static const StudyMember* const all[] = {&accuracy,  &drift,   &rtt,     &frequency,
                                             &exit_skew, &overlap, &network, &communicators};
    return all;
}

} // namespace ictus::study
