// Errors of the core: mistakes that a user can mend (usage), and failures while measuring.
#pragma once

#include <stdexcept>
#include <string>

namespace ictus {

/// An error whose text names the option or file, the value, and what is allowed or what to do next.
class Error : public std::runtime_error {
public:
    enum class Kind { usage, measurement };

    Error(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

    [[nodiscard]] Kind kind() const noexcept { return kind_; }
    /// Exit code of the whole launch: 2 usage, 3 the measurement failed.
    [[nodiscard]] int exit_code() const noexcept { return kind_ == Kind::usage ? 2 : 3; }

private:
    Kind kind_;
};

/// A mistake in the plan that every rank finds alike before anything is measured: all ranks may end in order.
class PlanError : public Error {
public:
    explicit PlanError(const std::string& message) : Error(Kind::usage, message) {}
};

[[nodiscard]] inline Error usage_error(const std::string& message) { return {Error::Kind::usage, message}; }
[[nodiscard]] inline Error measurement_error(const std::string& message) { return {Error::Kind::measurement, message}; }

} // namespace ictus
