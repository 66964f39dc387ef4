// A macro for each word of a list: ICTUS_FOR_EACH(M, a, b, c) is M(a), M(b), M(c). Up to 64 words.
#pragma once

#define ICTUS_FOR_EACH(macro, ...) __VA_OPT__(ICTUS_SCAN_64(ICTUS_STEP(macro, __VA_ARGS__)))

// Each scan expands one more step, which names the next one without being allowed to call it.
#define ICTUS_STEP(macro, first, ...) macro(first) __VA_OPT__(, ICTUS_NEXT_STEP ICTUS_CALL_LATER(macro, __VA_ARGS__))
#define ICTUS_NEXT_STEP() ICTUS_STEP
#define ICTUS_CALL_LATER ()
#define ICTUS_SCAN_64(...) ICTUS_SCAN_16(ICTUS_SCAN_16(ICTUS_SCAN_16(ICTUS_SCAN_16(__VA_ARGS__))))
#define ICTUS_SCAN_16(...) ICTUS_SCAN_4(ICTUS_SCAN_4(ICTUS_SCAN_4(ICTUS_SCAN_4(__VA_ARGS__))))
#define ICTUS_SCAN_4(...) ICTUS_SCAN(ICTUS_SCAN(ICTUS_SCAN(ICTUS_SCAN(__VA_ARGS__))))
#define ICTUS_SCAN(...) __VA_ARGS__
