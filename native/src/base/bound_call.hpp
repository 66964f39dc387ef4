// A call whose arguments are ready before it is timed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace ictus {

/// A function that returns a code (0: success), and its arguments, side by side in two cache lines. A call loads the
/// arguments from there and jumps to the function: it reads no other memory, neither a table of virtual functions nor
/// one of the linker (docs/decisions/0033).
class alignas(64) BoundCall {
public:
    /// Loads the arguments from the block and jumps to the function.
    using Code = int (*)(const BoundCall*);
    static constexpr std::size_t most_arguments = 13;

    BoundCall() : BoundCall(do_nothing<>) {}

    /// Arguments of reference parameters must outlive the call.
    template <class... Parameters, class... Arguments>
        requires(sizeof...(Parameters) == sizeof...(Arguments) && (std::is_convertible_v<Arguments, Parameters> && ...))
    explicit BoundCall(int (*function)(Parameters...), Arguments&&... arguments)
        : code_(load_and_jump<Parameters...>), function_(reinterpret_cast<Function>(function)),
          arguments_{to_word<Parameters>(std::forward<Arguments>(arguments))...},
          nothing_(reinterpret_cast<Function>(do_nothing<Parameters...>)) {
        static_assert(sizeof...(Parameters) <= most_arguments);
    }

    /// The call of `object.run()`.
    template <class Object>
    [[nodiscard]] static BoundCall run(Object& object) {
        return BoundCall(+[](Object* one) { return one->run(); }, &object);
    }

    int operator()() const { return code_(this); }
    [[nodiscard]] Code code() const { return code_; }

    /// Carries out `rehearsal` while functions that do nothing stand in the places of those of `calls`. What a call
    /// touches on its way to its function is in the nearest cache afterwards: the block, and the code.
    template <class Rehearsal>
    static void rehearse(std::span<BoundCall> calls, Rehearsal rehearsal) {
        const auto exchange = [calls] {
            for (BoundCall& call : calls) {
                std::swap(call.function_, call.nothing_);
            }
        };
        exchange();
        rehearsal();
        exchange();
    }

private:
    using Word = std::uint64_t;
    using Function = void (*)();

    template <class Parameter>
    static Word to_word(Parameter argument) {
        if constexpr (std::is_reference_v<Parameter>) {
            return to_word<std::remove_reference_t<Parameter>*>(std::addressof(argument));
        } else {
            static_assert(std::is_trivially_copyable_v<Parameter> && sizeof(Parameter) <= sizeof(Word));
            Word word = 0;
            std::memcpy(&word, static_cast<const void*>(&argument), sizeof(Parameter));
            return word;
        }
    }

    template <class Parameter>
    static Parameter from_word(const Word& word) {
        if constexpr (std::is_reference_v<Parameter>) {
            return *from_word<std::remove_reference_t<Parameter>*>(word);
        } else {
            Parameter argument;
            std::memcpy(static_cast<void*>(&argument), &word, sizeof(Parameter));
            return argument;
        }
    }

    template <class... Parameters>
    static int load_and_jump(const BoundCall* call) {
        return [call]<std::size_t... i>(std::index_sequence<i...>) {
            return reinterpret_cast<int (*)(Parameters...)>(call->function_)(
                from_word<Parameters>(call->arguments_[i])...);
        }(std::index_sequence_for<Parameters...>());
    }

    template <class... Parameters>
    static int do_nothing(Parameters...) {
        return 0;
    }

    Code code_;
    Function function_;
    std::array<Word, most_arguments> arguments_; ///< the first six, as many as go into registers, in the first line
    Function nothing_;
};

static_assert(sizeof(BoundCall) == 2 * alignof(BoundCall));

/// Brings what a bound call's function reads first into the nearest cache.
template <class Object>
void touch(const Object& object) {
    const auto* const memory = reinterpret_cast<const volatile std::byte*>(&object);
    for (std::size_t at = 0; at < sizeof(Object); at += alignof(BoundCall)) {
        (void)memory[at];
    }
}

} // namespace ictus
