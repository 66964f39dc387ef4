// A launch folder (file-format.md): arrays as they arrive, launch.json last, because it marks the folder complete.
#pragma once

#include "measure/sink.hpp"
#include "record/npy.hpp"
#include "record/structured_array.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ictus::tool {

/// Keeps nothing that grows with ranks and cases at once: each case and each block goes to its file when it ends.
class FolderSink final : public Sink {
public:
    FolderSink(std::string folder, bool raw);

    void take_samples(const record::CaseRecord& record, std::span<const record::SampleRecord> samples) override;
    void take_raw(std::span<const record::RawRecord> stamps) override;
    void take_case(const record::CaseRecord& record, std::span<const record::CaseRankRecord> ranks) override;
    void take_block(std::span<const record::BlockClockRecord> clocks) override;
    void finish(const record::LaunchRecord& launch) override;

private:
    [[nodiscard]] std::string partial(const std::string& name) const;
    /// The array gets its final name and its entry in launch.json.
    void complete(const std::string& name, record::NpyWriter& writer);
    void write(const std::string& name, const record::StructuredArray& array);

    std::string folder_;
    record::NpyWriter samples_;
    std::optional<record::NpyWriter> raw_;
    std::optional<record::NpyWriter> case_ranks_; ///< begun with the first case, whose length says how many ranks
    std::optional<record::NpyWriter> clocks_;
    std::vector<record::ArrayRecord> arrays_; ///< complete ones
};

} // namespace ictus::tool
