#include "tool/folder_sink.hpp"

#include "base/error.hpp"
#include "machine/system_tree.hpp"
#include "record/control_variables.hpp"
#include "record/file.hpp"
#include "record/launch_arrays.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace ictus::tool {
namespace {

/// launch.json marks the folder complete, so that of an earlier launch is removed before the first new sample.
std::string without_earlier_launch(std::string folder) {
    (void)std::remove((folder + "/launch.json").c_str());
    return folder;
}

std::string file_of(const std::string& name) { return name + ".npy"; }

/// Begins the file of rows with its first row.
template <class Record>
void append_row(std::optional<record::NpyWriter>& writer, const std::string& path, std::span<const Record> row) {
    if (!writer) {
        writer.emplace(path, Record::descriptor, sizeof(Record), row.size());
    }
    writer->append(std::as_bytes(row));
}

/// An array of rows of which there is none is there all the same.
template <class Record>
void begin_if_needed(std::optional<record::NpyWriter>& writer, const std::string& path, int row) {
    if (!writer) {
        writer.emplace(path, Record::descriptor, sizeof(Record), static_cast<std::uint64_t>(row));
    }
}

} // namespace

FolderSink::FolderSink(std::string folder, bool raw)
    : folder_(without_earlier_launch(std::move(folder))),
      samples_(partial("samples"), record::SampleRecord::descriptor, sizeof(record::SampleRecord)) {
    if (raw) {
        raw_.emplace(partial("raw"), record::RawRecord::descriptor, sizeof(record::RawRecord));
    }
}

std::string FolderSink::partial(const std::string& name) const { return folder_ + "/" + file_of(name) + ".partial"; }

void FolderSink::take_samples(const record::CaseRecord&, std::span<const record::SampleRecord> samples) {
    samples_.append(std::as_bytes(samples));
}

void FolderSink::take_raw(std::span<const record::RawRecord> stamps) { raw_->append(std::as_bytes(stamps)); }

void FolderSink::take_case(const record::CaseRecord&, std::span<const record::CaseRankRecord> ranks) {
    append_row(case_ranks_, partial("case_ranks"), ranks);
}

void FolderSink::take_block(std::span<const record::BlockClockRecord> clocks) {
    append_row(clocks_, partial("clocks"), clocks);
}

void FolderSink::complete(const std::string& name, record::NpyWriter& writer) {
    writer.close();
    const std::string path = folder_ + "/" + file_of(name);
    if (std::rename(partial(name).c_str(), path.c_str()) != 0) {
        throw measurement_error("cannot rename " + partial(name) + " to " + path + ": " + std::strerror(errno));
    }
    arrays_.push_back({name, file_of(name), writer.shape()});
}

void FolderSink::write(const std::string& name, const record::StructuredArray& array) {
    record::NpyWriter writer(partial(name), array.descriptor(), array.record_bytes());
    writer.append(array.bytes());
    complete(name, writer);
}

void FolderSink::finish(const record::LaunchRecord& launch) {
    complete("samples", samples_);
    if (raw_) {
        complete("raw", *raw_);
    }
    write("cases", record::case_array(launch));
    begin_if_needed<record::CaseRankRecord>(case_ranks_, partial("case_ranks"), launch.n_ranks);
    complete("case_ranks", *case_ranks_);
    write("blocks", record::block_array(launch));
    begin_if_needed<record::BlockClockRecord>(clocks_, partial("clocks"), launch.n_ranks);
    complete("clocks", *clocks_);
    write("ranks", record::rank_array(launch));
    write("hosts", record::host_array(launch));
    record::write_text_file(folder_ + "/cvars.json", record::cvars_json());
    record::LaunchRecord complete_record = launch;
    complete_record.launcher = machine::SystemTree(folder_).word("launcher.json").value_or("");
    record::write_text_file(folder_ + "/launch.json", record::launch_json(complete_record, arrays_));
}

} // namespace ictus::tool
