#include <cstring>

const char* answer(const char* question) {
    if (std::strcmp(question, "mpi-version") == 0) {
        return R"({"library_version": "Small MPI\t 1.0\nbuilt today", "standard": "4.1", "n_ranks": 1})";
    }
    return R"({"format": 1, "cvars": {"eager_limit": "8192"}, "hash": ")" ICTUS_SOURCE_HASH R"("})";
}
