// A mock-up computes by other calls what one collective computes: the right side of a performance guideline. It is an
// operation like any other, with the buffers of the one that it stands for and the same check of what arrives. Memory
// that it needs beside them is made with it, outside of what is timed; copying into and out of it is timed, because
// whoever replaces the call pays for it (Hunold, Carpen-Amarie, Luebbe and Traeff 2016, app. A).
#pragma once

#include "operation/collective.hpp"

namespace ictus::operation {

class Mockup : public Collective {
protected:
    using Collective::Collective;

    /// `n` as an argument of a call. Throws a usage Error if it is none: mock-ups have no large counts.
    [[nodiscard]] static int argument(std::uint64_t n);
    /// Zeroed memory for `n_units` units of the layout.
    [[nodiscard]] GuardedBuffer scratch(std::uint64_t n_units) const;

    [[nodiscard]] int count() const { return Collective::count<int>(); }
    [[nodiscard]] bool is_root() const { return rank() == root(); }
    /// Unit `unit` of a buffer.
    [[nodiscard]] std::byte* at(std::byte* buffer, std::uint64_t unit) const {
        return buffer + unit * bytes_per_unit();
    }
    /// Whole units, as a datatype copies them: gaps stay as they are.
    void copy(std::byte* to, const std::byte* from, std::uint64_t n_units) const;

    /// Whether a message of `n_units` units falls into p equal blocks.
    [[nodiscard]] bool divides(std::uint64_t n_units) const { return whole_blocks(n_units) == n_units; }
    /// Units of each of p equal blocks that together hold `n_units`: the last ones may be padding.
    [[nodiscard]] std::uint64_t padded_block(std::uint64_t n_units) const { return whole_blocks(n_units) / p(); }
    /// Units of these p blocks together.
    [[nodiscard]] std::uint64_t whole_blocks(std::uint64_t n_units) const { return (n_units + p() - 1) / p() * p(); }

private:
    [[nodiscard]] std::uint64_t p() const { return static_cast<std::uint64_t>(n_ranks()); }
};

/// What is known of a mock-up.
struct MockupTraits {
    std::string_view name;
    std::string_view summary;
    std::string_view mockup_of;      ///< the operation that it stands for
    std::string_view guideline = {}; ///< GL3, ...; empty: a further one
    Volume volume = Volume::none;
    bool rooted = false;
    bool reduces = false;
    bool varied = false;
    bool padded = false; ///< moves p whole blocks also where the message does not fall into them
    InPlace in_place = InPlace::never;
};

template <class Made>
std::unique_ptr<Operation> make_mockup(const Bound& bound, const CallSite& site) {
    return std::make_unique<Made>(static_cast<const OperationMember&>(bound.info()), site);
}

template <class Made>
constexpr OperationMember mockup(const MockupTraits& traits) {
    OperationMember member{};
    member.name = traits.name;
    member.summary = traits.summary;
    member.source = traits.guideline.empty() ? "" : "Hunold et al. 2016, app. A";
    member.make = make_mockup<Made>;
    member.mpi_name = traits.name;
    member.volume = traits.volume;
    member.rooted = traits.rooted;
    member.reduces = traits.reduces;
    member.varied = traits.varied;
    member.collective = traits.name;
    member.in_place = traits.in_place;
    member.mockup_of = traits.mockup_of;
    member.guideline = traits.guideline;
    member.is_padded = traits.padded;
    return member;
}

} // namespace ictus::operation
