// Where rank 0 writes the results: a launch folder, or a table.
#pragma once

#include "record/launch_json.hpp"
#include "record/sample_record.hpp"

#include <span>

namespace ictus {

class Sink {
public:
    virtual ~Sink() = default;
    /// The samples of a case, piece by piece in their order.
    virtual void take_samples(const record::CaseRecord& record, std::span<const record::SampleRecord> samples) = 0;
    /// With raw output: one rank's stamps of the case, rank by rank.
    virtual void take_raw(std::span<const record::RawRecord> stamps) = 0;
    /// The case is complete; one record a rank.
    virtual void take_case(const record::CaseRecord& record, std::span<const record::CaseRankRecord> ranks) = 0;
    /// The block is complete: the clocks of all ranks.
    virtual void take_block(std::span<const record::BlockClockRecord> clocks) = 0;
    /// At the end; only then is the launch complete.
    virtual void finish(const record::LaunchRecord& launch) = 0;
};

} // namespace ictus
