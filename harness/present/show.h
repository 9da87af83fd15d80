/* How results look to people. Every function returns `out`. */
#ifndef ORR_SHOW_H
#define ORR_SHOW_H

#include <stddef.h>

#include "format_value.h"
#include "plan/paper.h"
#include "present/results.h"

/* Marks an extrapolated number wherever people see it. */
#define ORR_ABOUT " ≈"

/* "249 [235, 264]", "249" without an interval, "—" when not known; " ≈" behind an extrapolated one.
 */
char *orr_show_ratio(char *out, size_t size, const struct orr_ratio *ratio);
/* "36.12 us ± 0.3 %", "36.12 us (1 sample)", "36.12 us ≈", or the word of a cell that is not ok. */
char *orr_show_time(char *out, size_t size, const struct orr_result *result);
/* The same without the interval. */
char *orr_show_short_time(char *out, size_t size, const struct orr_result *result);
/* "Proc. of a conference (2009)"; no year where the paper prints none. */
char *orr_show_venue(char *out, size_t size, const struct orr_paper *paper);
/* printed / seconds, half a unit in the last printed digit and the interval of the median taken
 * together. */
struct orr_ratio orr_ratio_to_published(const struct orr_published *published,
                                        const struct orr_result *result);

#endif
