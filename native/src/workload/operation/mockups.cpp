// The mock-ups as operations (mockup/algorithm.hpp), with the buffers and the check of the collective that they
// replace. Their extra memory is allocated outside the timed window; copies into and out of it are timed, because a
// user of the mock-up pays for them (Hunold, Carpen-Amarie, Luebbe and Traeff 2016, app. A).
#include "workload/operation/operation.hpp"

#include "base/error.hpp"
#include "mockup/algorithm.hpp"
#include "workload/operation/latecomer.hpp"
#include "workload/operation/role.hpp"

#include <algorithm>
#include <climits>
#include <span>

namespace ictus::operation {

namespace {

const DataRole& role(std::string_view collective) { return *find_role(collective); }

/// Units of the largest buffer. Throws a usage Error if it does not fit a mock-up's arguments, which are ints.
void require_int(const mockup::Algorithm& algorithm, const CallSite& site, std::uint64_t n_units) {
    const std::uint64_t n = algorithm.moves_bytes || site.layout != nullptr ? n_units * unit_bytes(site) : n_units;
    if (n > INT_MAX) {
        throw usage_error("a mock-up's call with " + std::to_string(n) +
                          " elements or bytes is more than an int can count (" + std::to_string(INT_MAX) +
                          "); choose a smaller size");
    }
}

/// What a mock-up is called with, in cache lines of its own.
struct alignas(64) Prepared {
    mockup::Arguments arguments;
    mockup::Scratch scratch{};

    /// The call; afterwards these lines are in the cache.
    [[nodiscard]] BoundCall bind(const mockup::Algorithm& algorithm) {
        touch(*this);
        return BoundCall(algorithm.call, std::as_const(arguments), std::as_const(scratch));
    }
};

class Mockup final : public Collective {
public:
    Mockup(const mockup::Algorithm& algorithm, const OperationMember& member, const CallSite& site)
        : Collective(member, site, role(algorithm.stands_for).blocks(site)), algorithm_(algorithm), site_(site),
          first_(algorithm.stands_for == "reduce_scatter" ? sent().first(site.rank) : own_block()),
          counts_(counts_of(site)), prepared_{arguments(site), {}}, needs_(algorithm.needs(prepared_.arguments)),
          memory_{GuardedBuffer(needs_.first.n_bytes()), GuardedBuffer(needs_.second.n_bytes()),
                  GuardedBuffer(needs_.zeroed_bytes), GuardedBuffer(needs_.packed_bytes)},
          ints_(static_cast<std::size_t>(needs_.n_ints)) {
        const std::uint64_t blocks =
            traits(algorithm.stands_for).volume == Volume::blocks
                ? equal_blocks(site).total()
                : static_cast<std::uint64_t>(mockup::whole_blocks(prepared_.arguments.count, n_ranks()));
        require_int(algorithm, site, blocks);
        for (GuardedBuffer& memory : memory_) {
            std::ranges::fill(memory.bytes(), std::byte{0});
        }
        prepared_.scratch = {needs_.first.in(memory_[0].data()), needs_.second.in(memory_[1].data()), memory_[2].data(),
                             memory_[3].data(), ints_.data()};
    }

    BoundCall bind() override {
        prepared_.arguments.own = own();
        prepared_.arguments.result = result();
        return prepared_.bind(algorithm_);
    }

private:
    [[nodiscard]] BlockSource block_source(int block) const override {
        return role(algorithm_.stands_for).block_source(site_, block, first_);
    }

    /// MPI_Bcast has one buffer, and the root of an MPI_Scatter in place has no receive buffer.
    [[nodiscard]] std::byte* result() const {
        if (algorithm_.stands_for == "bcast" && rank() == root()) {
            return send();
        }
        return receives_in_place() ? nullptr : receive();
    }

    [[nodiscard]] std::vector<int> counts_of(const CallSite& site) const {
        std::vector<int> counts;
        if (algorithm_.stands_for == "reduce_scatter") {
            require_int(algorithm_, site, sent().total());
            for (int block = 0; block < n_ranks(); ++block) {
                counts.push_back(static_cast<int>(sent().count(block)));
            }
        }
        return counts;
    }

    [[nodiscard]] mockup::Arguments arguments(const CallSite& site) const {
        require_int(algorithm_, site, site.count);
        mockup::Arguments made;
        made.count = count<int>();
        made.result_count = counts_.empty() ? made.count : counts_[static_cast<std::size_t>(rank())];
        made.units = mockup::Units::of(type());
        made.result_units = made.units;
        made.counts = counts_.data();
        made.in_place = sends_in_place() || receives_in_place();
        made.op = reduction();
        made.root = root();
        made.rank = rank();
        made.n_ranks = n_ranks();
        made.comm = comm();
        return made;
    }

    const mockup::Algorithm& algorithm_;
    CallSite site_; ///< for `origin`
    std::uint64_t first_;
    std::vector<int> counts_;
    Prepared prepared_;
    mockup::ScratchDemand needs_;
    GuardedBuffer memory_[4];
    std::vector<int> ints_;
};

/// The mock-up of a collective without data, a barrier.
class DatalessMockup final : public Operation {
public:
    DatalessMockup(const mockup::Algorithm& algorithm, const CallSite& site) : algorithm_(algorithm), latecomer_(site) {
        prepared_.arguments.comm = site.comm;
        prepared_.arguments.rank = site.rank;
        prepared_.arguments.n_ranks = site.n_ranks;
    }

    BoundCall bind() override { return prepared_.bind(algorithm_); }
    void fill(std::uint64_t seed) override { latecomer_.come(seed); }
    [[nodiscard]] std::optional<Mismatch> check(std::uint64_t seed) const override { return latecomer_.leave(seed); }

private:
    const mockup::Algorithm& algorithm_;
    Prepared prepared_;
    Latecomer latecomer_;
};

std::unique_ptr<Operation> make(const Bound& bound, const CallSite& site) {
    const auto& member = static_cast<const OperationMember&>(bound.info());
    const mockup::Algorithm& algorithm = *mockup::find(member.name);
    if (member.volume == Volume::none) {
        return std::make_unique<DatalessMockup>(algorithm, site);
    }
    return std::make_unique<Mockup>(algorithm, member, site);
}

OperationMember member(const mockup::Algorithm& algorithm) {
    const OperationMember& collective = *stood_for(algorithm.stands_for);
    OperationMember made{};
    made.name = algorithm.name;
    made.summary = algorithm.summary;
    made.source = algorithm.guideline.empty() ? "" : "Hunold et al. 2016, app. A";
    made.make = make;
    made.mpi_name = algorithm.name;
    made.volume = collective.volume;
    made.rooted = collective.rooted;
    made.reduces = collective.reduces;
    made.varied = collective.varied;
    made.collective = algorithm.name;
    made.in_place = collective.in_place;
    made.mockup_of = algorithm.stands_for;
    made.guideline = algorithm.guideline;
    made.is_padded = algorithm.is_padded;
    return made;
}

} // namespace

std::span<const OperationMember> mockups() {
    static const std::vector<OperationMember> all = [] {
        std::vector<OperationMember> made;
        for (const mockup::Algorithm* const one : mockup::all()) {
            made.push_back(member(*one));
        }
        return made;
    }();
    return all;
}

} // namespace ictus::operation
