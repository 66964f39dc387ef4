// What is known of a communicator: its size, and the lines of the profile that are for it. Hangs on it as an attribute.
#pragma once

#include "interface/comm_attribute.hpp"
#include "redirect/account.hpp"

namespace ictus::redirect {

class Place final : public Attached {
public:
    Place(MPI_Comm comm, const Profile& profile);
    ~Place() override;

    /// Changes whenever any of them goes: who remembers one may use it until then.
    [[nodiscard]] static std::uint64_t generation();

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int n_ranks() const { return n_ranks_; }
    /// What becomes of a call of so many bytes, and by which line of the profile where that is `rerouted`.
    struct Answer {
        Fate fate;
        std::size_t line;
    };
    [[nodiscard]] Answer answer(Collective which, std::uint64_t n_bytes) const;
    /// The fate of calls of any size; `rerouted` where that depends on it.
    [[nodiscard]] Fate fate(Collective which) const { return for_all_sizes_[static_cast<std::size_t>(which)]; }

private:
    struct Range {
        std::uint64_t from_bytes;
        std::uint64_t to_bytes;
        std::size_t line;
    };

    int rank_ = 0;
    int n_ranks_ = 0;
    std::array<std::vector<Range>, collective_names.size()> ranges_; ///< ascending
    std::array<Fate, collective_names.size()> for_all_sizes_{};
};

} // namespace ictus::redirect
