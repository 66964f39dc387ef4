#include "preload/exit_skew.hpp"

#include "base/error.hpp"
#include "mpi/handles.hpp"
#include "record/npy.hpp"

#include <algorithm>
#include <limits>

namespace ictus::preload {
namespace {

constexpr int exits_tag = 11;

/// A log on the global clock.
struct GlobalExits {
    explicit GlobalExits(std::uint64_t n) : at_s(n), bound_s(n), flags(n) {}

    std::vector<double> at_s;
    std::vector<double> bound_s;
    std::vector<SampleFlags> flags;
};

GlobalExits on_global_clock(const TracingClock& clock, const ExitLog& log) {
    GlobalExits exits(log.kept());
    for (std::uint64_t i = 0; i < log.kept(); ++i) {
        exits.at_s[i] = clock.global(log.at(i)).s;
        exits.bound_s[i] = clock.bound(log.at(i));
        exits.flags[i] = log.flags(i);
    }
    return exits;
}

void send(MPI_Comm world, const GlobalExits& exits) {
    const int count = static_cast<int>(exits.at_s.size());
    mpi::check(MPI_Send(exits.at_s.data(), count, MPI_DOUBLE, 0, exits_tag, world), "MPI_Send");
    mpi::check(MPI_Send(exits.bound_s.data(), count, MPI_DOUBLE, 0, exits_tag, world), "MPI_Send");
    mpi::check(MPI_Send(exits.flags.data(), count, MPI_UINT16_T, 0, exits_tag, world), "MPI_Send");
}

GlobalExits receive(MPI_Comm world, const ProcessShare& share) {
    GlobalExits exits(share.kept);
    const int count = static_cast<int>(share.kept);
    const auto one = [&](void* data, MPI_Datatype type) {
        mpi::check(MPI_Recv(data, count, type, share.world_rank, exits_tag, world, MPI_STATUS_IGNORE), "MPI_Recv");
    };
    one(exits.at_s.data(), MPI_DOUBLE);
    one(exits.bound_s.data(), MPI_DOUBLE);
    one(exits.flags.data(), MPI_UINT16_T);
    return exits;
}

/// Rank 0's side: every process's logs in turn, first to find each barrier's first exit, then to write.
class Collector {
public:
    Collector(MPI_Comm world, const TracingClock& clock, std::span<const ExitLog* const> own,
              const BarrierAccount& account)
        : world_(world), clock_(clock), own_(own), account_(account), first_s_(account.rows.size()) {
        for (std::size_t row = 0; row < account.rows.size(); ++row) {
            first_s_[row].assign(account.rows[row].kept, std::numeric_limits<double>::infinity());
        }
    }

    void find_first_exits() {
        each([this](const ProcessShare& share, const GlobalExits& exits) {
            std::vector<double>& first = first_s_[share.row];
            for (std::size_t i = 0; i < first.size(); ++i) {
                first[i] = std::min(first[i], exits.at_s[i]);
            }
        });
    }

    void write(const std::string& path) {
        std::unique_ptr<record::NpyWriter> file;
        std::exception_ptr failure; // the others send what they have, whatever happens here
        const auto guarded = [&](auto step) {
            try {
                if (!failure) {
                    step();
                }
            } catch (const Error&) {
                failure = std::current_exception();
            }
        };
        guarded([&] { file = std::make_unique<record::NpyWriter>(path, ExitRecord::descriptor, sizeof(ExitRecord)); });
        each([&](const ProcessShare& share, const GlobalExits& exits) {
            guarded([&] { file->append(std::as_bytes(std::span<const ExitRecord>(records(share, exits)))); });
        });
        guarded([&] { file->close(); });
        if (failure) {
            std::rethrow_exception(failure);
        }
    }

private:
    template <class Use>
    void each(Use use) {
        std::size_t own = 0;
        for (const ProcessShare& share : account_.shares) {
            const ExitLog* const log = share.world_rank == 0 ? own_[own++] : nullptr;
            if (share.kept > 0) {
                use(share, log != nullptr ? on_global_clock(clock_, *log) : receive(world_, share));
            }
        }
    }

    [[nodiscard]] std::vector<ExitRecord> records(const ProcessShare& share, const GlobalExits& exits) const {
        const std::vector<double>& first = first_s_[share.row];
        std::vector<ExitRecord> records;
        records.reserve(first.size());
        for (std::size_t i = 0; i < first.size(); ++i) {
            records.push_back({.communicator = static_cast<std::uint32_t>(share.row),
                               .barrier = i * account_.rows[share.row].stride,
                               .rank = static_cast<std::uint32_t>(share.world_rank),
                               .flags = exits.flags[i],
                               .exit = exits.at_s[i],
                               .skew = exits.at_s[i] - first[i],
                               .clock_bound = exits.bound_s[i]});
        }
        return records;
    }

    MPI_Comm world_;
    const TracingClock& clock_;
    std::span<const ExitLog* const> own_;
    const BarrierAccount& account_;
    std::vector<std::vector<double>> first_s_; ///< a communicator, a barrier
};

} // namespace

void write_exits(MPI_Comm world, const TracingClock& clock, std::span<const ExitLog* const> logs,
                 const BarrierAccount& account, const std::string& path) {
    int rank = 0;
    mpi::check(MPI_Comm_rank(world, &rank), "MPI_Comm_rank");
    if (rank == 0) {
        Collector collector(world, clock, logs, account);
        collector.find_first_exits();
        collector.write(path);
        return;
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (const ExitLog* const log : logs) {
            if (log->kept() > 0) {
                send(world, on_global_clock(clock, *log));
            }
        }
    }
}

} // namespace ictus::preload
