/* Whether two orders of the same things agree (Kendall 1938, "A new measure of rank correlation").
 */
#ifndef ORR_STATS_KENDALL_H
#define ORR_STATS_KENDALL_H

#include <stddef.h>

/* The two-sided p value of a score, pairs in the same order less pairs in the other, of `count`
 * things without ties: the exact share of all orders whose score is as far from 0. NAN for fewer
 * than two things, or more than ORR_KENDALL_MOST. */
enum { ORR_KENDALL_MOST = 100 };
double orr_stats_kendall_p(size_t count, double score);

#endif
