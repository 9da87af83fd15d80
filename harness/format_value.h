/* SPDX-License-Identifier: MIT */
/* How numbers look to people. Every function returns `out`; NAN is shown as "—". */
#ifndef ORR_FORMAT_VALUE_H
#define ORR_FORMAT_VALUE_H

#include <stddef.h>

/* Three significant digits, without an exponent where that stays short: "249", "1.09", "0.00412",
 * "2.1e+06". */
char *orr_format_number(char *out, size_t size, double value);
/* "1.204 ms", "36.1 us", "12.3 s". Not for NAN. */
char *orr_format_seconds(char *out, size_t size, double seconds);
/* "212 Gint/s", "3.20 nJ": the value with an SI prefix and three significant digits, then `unit`.
 */
char *orr_format_si(char *out, size_t size, double value, const char *unit);
/* A time in "s" or "ms", without the unit; with "" as orr_format_seconds has it. */
char *orr_format_in_unit(char *out, size_t size, double seconds, const char *unit);
/* "± 0.3 %" of what may be off by that share; "" for NAN. */
char *orr_format_plus_minus(char *out, size_t size, double share);

/* An interval of fewer than three processes says nothing of other runs: these words follow it, in
 * cells of a table their mark. */
#define ORR_WITHIN_ONE_RUN "within one run"
#define ORR_WITHIN_ONE_RUN_MARK "†"

#endif
