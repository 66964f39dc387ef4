// The readable table of the stand-alone tool, for sites where only a compiler and an MPI exist. Medians of one launch:
// for a verdict, launches have to be repeated (docs/method.md).
#pragma once

#include "measure/sink.hpp"

#include <string>
#include <vector>

namespace ictus::tool {

class TableSink final : public Sink {
public:
    void take_case(const record::CaseRecord& record, std::span<const record::SampleRecord> samples) override;
    void take_raw(std::span<const record::RawRecord>) override {}
    void finish(const record::LaunchRecord& launch) override;

private:
    std::vector<std::string> rows_;
};

} // namespace ictus::tool
