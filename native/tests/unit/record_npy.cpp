// samples.npy and raw.npy byte by byte, and files that cannot be written.
#include "base/error.hpp"
#include "base/time.hpp"
#include "check.hpp"
#include "record/file.hpp"
#include "record/npy.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace ictus::record;

namespace {

/// A folder of its own for one test, gone afterwards.
class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "ictus-record-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) {
            throw std::runtime_error("no temporary folder");
        }
        path_ = name;
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

std::string content(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

template <class Record>
std::span<const std::byte> bytes_of(const std::vector<Record>& records) {
    return std::as_bytes(std::span(records));
}

} // namespace

TEST(header_is_numpys_own_for_the_same_array) {
    // 6 bytes of magic, version 1.0, length 0x0136 = 310, and text up to a line feed at byte 320: what numpy.save
    // writes.
    const std::string header = npy_header(SampleRecord::descriptor, 3);
    CHECK_EQ(std::size_t{320}, header.size());
    CHECK_EQ(std::string("\x93NUMPY\x01\x00\x36\x01", 10), header.substr(0, 10));
    CHECK(header.find("'clock_bound', '<f8')], 'fortran_order': False, 'shape': (3,), }  ") != std::string::npos);
    CHECK_EQ('\n', header.back());
    CHECK_EQ(std::size_t{256}, npy_header(RawRecord::descriptor, 3).size());
}

TEST(header_length_does_not_depend_on_the_count) {
    CHECK_EQ(npy_header(SampleRecord::descriptor, 0).size(),
             npy_header(SampleRecord::descriptor, ~std::uint64_t{0}).size());
    CHECK_EQ(npy_header(RawRecord::descriptor, 0).size(), npy_header(RawRecord::descriptor, ~std::uint64_t{0}).size());
}

TEST(rows_of_records_have_two_dimensions) {
    const Folder folder;
    const std::string path = folder.file("case_ranks.npy");
    NpyWriter writer(path, CaseRankRecord::descriptor, sizeof(CaseRankRecord), 3);
    const std::vector<CaseRankRecord> row(3, CaseRankRecord{});
    CHECK_THROWS(writer.append(bytes_of(std::vector<CaseRankRecord>(2))), "80 bytes are no whole records");
    writer.append(bytes_of(row));
    writer.append(bytes_of(row));
    writer.close();
    CHECK(content(path).find("'shape': (2, 3), }") != std::string::npos);
    CHECK((writer.shape() == std::vector<std::uint64_t>{2, 3}));
    CHECK_EQ(npy_header(CaseRankRecord::descriptor, 0, 3).size() + 6 * sizeof(CaseRankRecord), content(path).size());
}

TEST(records_lie_behind_the_header_packed_and_little_endian) {
    const Folder folder;
    const std::string path = folder.file("raw.npy");
    NpyWriter writer(path, RawRecord::descriptor, sizeof(RawRecord));
    writer.append(
        bytes_of(std::vector<RawRecord>{{1, 2, 3, ictus::late_flag | ictus::overrun_flag, 0x0102030405060708, -1}}));
    writer.close();
    const std::string expected(
        "\x01\0\0\0\x02\0\0\0\x03\0\0\0\x03\0\x08\x07\x06\x05\x04\x03\x02\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 30);
    CHECK_EQ(npy_header(RawRecord::descriptor, 1) + expected, content(path));
}

TEST(count_is_patched_at_close_and_not_before) {
    const Folder folder;
    const std::string path = folder.file("samples.npy");
    const std::vector<SampleRecord> block(5, SampleRecord{});
    NpyWriter writer(path, SampleRecord::descriptor, sizeof(SampleRecord));
    writer.append(bytes_of(block));
    writer.append(bytes_of(std::vector<SampleRecord>{}));
    writer.append(bytes_of(block));
    const std::string torn = content(path);
    CHECK_EQ(std::size_t{320 + 10 * 74}, torn.size());
    CHECK_EQ(npy_header(SampleRecord::descriptor, 0), torn.substr(0, 320));
    writer.close();
    CHECK_EQ(npy_header(SampleRecord::descriptor, 10), content(path).substr(0, 320));
    CHECK_EQ(torn.size(), content(path).size());
}

TEST(half_a_record_is_refused) {
    const Folder folder;
    NpyWriter writer(folder.file("samples.npy"), SampleRecord::descriptor, sizeof(SampleRecord));
    const std::array<std::byte, 73> bytes{};
    CHECK_THROWS(writer.append(bytes), "73 bytes are no whole records");
}

TEST(full_disk_is_an_error_that_names_the_file) {
    if (!std::filesystem::exists("/dev/full")) {
        std::puts("SKIPPED: this system has no /dev/full");
        return;
    }
    CHECK_THROWS(NpyWriter("/dev/full", SampleRecord::descriptor, sizeof(SampleRecord)),
                 "/dev/full: No space left on device");
    OutputFile file("/dev/full");
    CHECK_THROWS(file.write_at(0, std::as_bytes(std::span("text", 4))), "cannot write /dev/full");
}

TEST(missing_folder_is_a_measurement_error_that_names_the_file) {
    const Folder folder;
    CHECK_THROWS(NpyWriter(folder.file("none/samples.npy"), RawRecord::descriptor, sizeof(RawRecord)),
                 "none/samples.npy: No such file or directory");
    try {
        write_text_file(folder.file("none/launch.json"), "{}");
        CHECK(false);
    } catch (const ictus::Error& error) {
        CHECK(error.kind() == ictus::Error::Kind::measurement);
        CHECK(std::strstr(error.what(), "none/launch.json") != nullptr);
    }
}

TEST(text_files_replace_whole_and_leave_nothing_beside) {
    const Folder folder;
    write_text_file(folder.file("launch.json"), "first, and longer");
    write_text_file(folder.file("launch.json"), "second");
    CHECK_EQ(std::string("second"), content(folder.file("launch.json")));
    const auto entries = std::filesystem::directory_iterator(folder.path());
    CHECK_EQ(std::ptrdiff_t{1}, std::distance(begin(entries), end(entries)));
}

TEST(text_file_that_cannot_be_renamed_leaves_no_partial) {
    const Folder folder;
    std::filesystem::create_directory(folder.file("launch.json"));
    CHECK_THROWS(write_text_file(folder.file("launch.json"), "{}"), "cannot rename");
    CHECK(!std::filesystem::exists(folder.file("launch.json.partial")));
}

TEST(failing_rank_says_who_where_and_why) {
    const Folder folder;
    CHECK_EQ(
        std::string("{\n  \"rank\": 3,\n  \"time_s\": 1700000000.25,\n  \"host\": \"n1\",\n  \"kind\": \"usage\",\n"
                    "  \"message\": \"--op: \\\"bcats\\\" is no operation\"\n}\n"),
        error_json(3, 1700000000.25, "n1", "usage", "--op: \"bcats\" is no operation"));
    CHECK(write_error_file(folder.path(), 3, "n1", ictus::Error::Kind::measurement, "late"));
    CHECK(content(folder.file("error.3.json")).find("\"kind\": \"measurement\"") != std::string::npos);
    CHECK(!write_error_file(folder.file("none"), 3, "n1", ictus::Error::Kind::measurement, "late"));
}
