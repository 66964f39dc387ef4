#include "workload/operation/demand.hpp"

#include "base/error.hpp"

namespace ictus::operation {
namespace {

void append(std::string& list, std::string_view name) { list += (list.empty() ? "" : ", ") + std::string(name); }

std::string operators_of(const Datatype& datatype, bool is_derived) {
    std::string allowed;
    for (const Operator& candidate : operators()) {
        if (allows(datatype, candidate) && (candidate.is_user_defined() || !is_derived)) {
            append(allowed, candidate.name);
        }
    }
    return allowed;
}

} // namespace

void require_in_place(const OperationMember& member) {
    if (member.in_place != InPlace::never) {
        return;
    }
    std::string able;
    for (const MemberInfo* info : family().members) {
        const OperationMember& candidate = traits(info->name);
        if (candidate.in_place != InPlace::never && candidate.form == Form::blocking && candidate.mockup_of.empty()) {
            append(able, candidate.name);
        }
    }
    throw usage_error("operation '" + std::string(member.name) + "' cannot be called in place; those that can are " +
                      able + ", their nonblocking and persistent forms, and their mock-ups");
}

void require_operator(const OperationMember& member, const Datatype& datatype, const Operator& reduction,
                      bool is_derived) {
    const bool allowed = allows(datatype, reduction);
    if (allowed && (reduction.is_user_defined() || !is_derived)) {
        return;
    }
    const std::string what = std::string(member.mpi_name) + ": operator '" + std::string(reduction.name) + "' is ";
    throw usage_error(what +
                      (allowed
                           ? "one of MPI's own, which are not defined on derived datatypes; on a derived datatype of '"
                           : "not defined on datatype '") +
                      std::string(datatype.name) + "'" + (allowed ? " defined are " : "; defined are ") +
                      operators_of(datatype, is_derived));
}

const CallSite& require_operator_of_mpi(const OperationMember& member, const CallSite& site) {
    if (site.reduction->is_user_defined()) {
        throw usage_error(std::string(member.mpi_name) + ": operator '" + std::string(site.reduction->name) +
                          "' is a function of Ictus, and this call takes only MPI's own operators");
    }
    return site;
}

const CallSite& require_single_elements(const OperationMember& member, const CallSite& site) {
    if (site.layout != nullptr && site.layout->is_derived()) {
        throw usage_error(std::string(member.mpi_name) +
                          " works on one element of a predefined datatype, and the layout makes a derived one; use "
                          "layout basic");
    }
    return site;
}

void require_buffers_that_stay(const OperationMember& member, std::uint64_t area_bytes) {
    if (member.binds_buffers && area_bytes > 0) {
        throw usage_error(std::string(member.name) + ": a persistent operation always uses the same buffers, and cache "
                                                     "mode cold-rotate uses others each time; choose cold-memset");
    }
}

} // namespace ictus::operation
