#include "base/sha256.hpp"
#include "check.hpp"

using namespace ictus;

// The examples of FIPS 180-2, appendix B.
TEST(the_examples_of_the_standard_have_its_digests) {
    CHECK_EQ(std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"), sha256("abc"));
    CHECK_EQ(std::string("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
             sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"));
    CHECK_EQ(std::string("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
             sha256(std::string(1'000'000, 'a')));
}

TEST(no_bytes_have_a_digest_too) {
    CHECK_EQ(std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"), sha256(""));
}
