#include "measure/raw.hpp"

#include "transport/transport.hpp"

namespace ictus {

void bring_raw(Workplace& workplace, const MeasuredCase& measured, Sink* sink) {
    std::vector<record::RawRecord> own;
    own.reserve(measured.stamps.size());
    for (std::size_t i = 0; i < measured.stamps.size(); ++i) {
        const Stamp& stamp = measured.stamps[i];
        own.push_back({measured.plan->id, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(workplace.rank()),
                       stamp.flags, stamp.start.count, stamp.end.count});
    }
    Transport& transport = workplace.transport();
    if (!workplace.is_root()) {
        transport.send(0, std::as_bytes(std::span(own)));
        return;
    }
    sink->take_raw(own);
    for (int rank = 1; rank < workplace.size(); ++rank) { // every rank has the same number of stamps
        transport.receive(rank, std::as_writable_bytes(std::span(own)));
        sink->take_raw(own);
    }
}

} // namespace ictus
