/* What libictus exports: functions with this mark are seen from outside, in each header of the library. */
#ifndef ICTUS_API_H
#define ICTUS_API_H

#if defined(__GNUC__)
#define ICTUS_API __attribute__((visibility("default")))
#else
#define ICTUS_API
#endif

#endif
