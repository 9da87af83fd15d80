/* What a test expects of the recorded failure. */
#ifndef ERROR_FOR_TESTS_H
#define ERROR_FOR_TESTS_H

#include "harness/error.h"
#include "tests/cases.h"

/* The set-up of a test: no failure is recorded. */
static inline int begin(void **state)
{
    orr_error_clear();
    return 0;
}

/* The message holds `part`; it is forgotten after that. */
static inline void assert_says(const char *part)
{
    if (!strstr(orr_error_text(), part))
        fail_msg("expected '%s' in '%s'", part, orr_error_text());
    orr_error_clear();
}

#endif
