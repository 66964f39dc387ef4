// Family barrier: no rank returns before all have entered. All but `library` are our own, over point-to-point messages,
// and so the same under every MPI library.
#pragma once

#include "base/registry.hpp"
#include "transport/transport.hpp"

namespace ictus {

class Barrier {
public:
    virtual ~Barrier() = default;
    virtual void wait(Transport& transport) = 0;
    /// The wait as a call to be timed, valid as long as both.
    [[nodiscard]] virtual BoundCall bind(Transport& transport) = 0;
};

/// A barrier whose bound call is the member's own code: no table of virtual functions is read on the way to it.
template <class Member>
class OwnBarrier : public Barrier {
public:
    [[nodiscard]] BoundCall bind(Transport& transport) final {
        constexpr auto wait = [](Member* member, Transport* among) {
            member->Member::wait(*among);
            return 0;
        };
        return BoundCall(+wait, static_cast<Member*>(this), &transport);
    }
};

using BarrierMember = Member<Barrier>;

namespace barrier {

[[nodiscard]] const Registry<Barrier>& registry();
[[nodiscard]] const FamilyInfo& family();

/// What starts calls of ours that no plan says how to start.
[[nodiscard]] std::unique_ptr<Barrier> make_own();

// The message of a barrier is empty: only its arrival counts.

inline void send_token(Transport& transport, int to) {
    const std::byte token{1};
    transport.send(to, {&token, 1});
}

inline void receive_token(Transport& transport, int from) {
    std::byte token{};
    transport.receive(from, {&token, 1});
}

inline void exchange_token(Transport& transport, int to, int from) {
    const std::byte sent{1};
    std::byte heard{};
    transport.exchange(to, {&sent, 1}, from, {&heard, 1});
}

} // namespace barrier

} // namespace ictus
