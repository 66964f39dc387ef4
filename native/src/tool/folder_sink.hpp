// A launch folder (docs/file-format.md): samples as they arrive, launch.json last, because it marks the folder
// complete.
#pragma once

#include "measure/sink.hpp"
#include "record/npy.hpp"

#include <optional>
#include <string>

namespace ictus::tool {

class FolderSink final : public Sink {
public:
    FolderSink(std::string folder, bool raw);

    void take_samples(const record::CaseRecord& record, std::span<const record::SampleRecord> samples) override;
    void take_raw(std::span<const record::RawRecord> stamps) override;
    void take_case(const record::CaseRecord&) override {}
    void finish(const record::LaunchRecord& launch) override;

private:
    std::string folder_;
    record::NpyWriter samples_;
    std::optional<record::NpyWriter> raw_;
};

} // namespace ictus::tool
