#include "tool/folder_sink.hpp"

#include "base/error.hpp"
#include "machine/system_tree.hpp"
#include "record/control_variables.hpp"
#include "record/file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace ictus::tool {
namespace {

constexpr const char* partial = ".partial";

void complete(const std::string& path) {
    if (std::rename((path + partial).c_str(), path.c_str()) != 0) {
        throw measurement_error("cannot rename " + path + partial + " to " + path + ": " + std::strerror(errno));
    }
}

/// launch.json marks the folder complete, so that of an earlier launch is removed before the first new sample.
std::string without_earlier_launch(std::string folder) {
    (void)std::remove((folder + "/launch.json").c_str());
    return folder;
}

} // namespace

FolderSink::FolderSink(std::string folder, bool raw)
    : folder_(without_earlier_launch(std::move(folder))),
      samples_(folder_ + "/samples.npy" + partial, record::SampleRecord::descriptor, sizeof(record::SampleRecord)) {
    if (raw) {
        raw_.emplace(folder_ + "/raw.npy" + partial, record::RawRecord::descriptor, sizeof(record::RawRecord));
    }
}

void FolderSink::take_samples(const record::CaseRecord&, std::span<const record::SampleRecord> samples) {
    samples_.append(std::as_bytes(samples));
}

void FolderSink::take_raw(std::span<const record::RawRecord> stamps) { raw_->append(std::as_bytes(stamps)); }

void FolderSink::finish(const record::LaunchRecord& launch) {
    samples_.close();
    complete(folder_ + "/samples.npy");
    if (raw_) {
        raw_->close();
        complete(folder_ + "/raw.npy");
    }
    record::write_text_file(folder_ + "/cvars.json", record::cvars_json());
    record::LaunchRecord complete_record = launch;
    complete_record.launcher = machine::SystemTree(folder_).word("launcher.json").value_or("");
    record::write_text_file(folder_ + "/launch.json", record::launch_json(complete_record));
}

} // namespace ictus::tool
