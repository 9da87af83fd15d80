/* Value lists of axes, one grammar for paper.yaml and --set:
 *
 *   list  := item {"," item}
 *   item  := word | low ":" high ":*" factor | low ":" high ":+" step
 *
 * A range holds low, every next value up to high, and high itself: both ends are always there, so
 * "1000:5000:*2" is 1000, 2000, 4000, 5000. Repeated values count once. */
#ifndef ORR_AXIS_H
#define ORR_AXIS_H

#include <stdbool.h>

/* NULL-terminated in the given order; free with orr_names_free. With `integers` the values of a
 * range are rounded. ORR_EUSAGE says what is wrong with which item. */
int orr_axis_values(char ***out, const char *text, bool integers);
/* Do the values of this axis count something? True for n, per_box, level and seed. */
bool orr_axis_is_count(const char *name);

#endif
