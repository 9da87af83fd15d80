/* How long the cells that are left will take, and how well that is known: the times that are
 * expected of cells (time_estimate.h), corrected by what those that were expected on the same basis
 * took so far. */
#ifndef ORR_TIME_LEFT_H
#define ORR_TIME_LEFT_H

#include "run/time_estimate.h"

/* Logarithms of taken over expected seconds, the recent ones weighing most. */
struct orr_time_ratios {
    double weight, sum, squares;
};

struct orr_time_left {
    struct orr_time_ratios of[ORR_TIME_BASES];
};

/* What is expected of the cells left on one basis: seconds, and the sum of their squares. */
struct orr_time_expected {
    double sum, squares;
};

/* A cell on this basis took so long. */
void orr_time_left_learn(struct orr_time_left *left, enum orr_time_basis basis, double expected_s,
                         double taken_s);
/* Seconds that the cells left will take. *spread: the standard deviation of its logarithm; 0 where
 * nothing is left. */
double orr_time_left(double *spread, const struct orr_time_left *left,
                     const struct orr_time_expected expected[ORR_TIME_BASES]);
/* "6m", or "4m to 20m" where a factor of two is not certain, or "" where the range would tell
 * nothing: nine in ten are to hold. Returns `out`. */
char *orr_time_left_text(char *out, size_t size, double seconds, double spread);
/* "45s", "6m", "2h10m" */
char *orr_time_left_duration(char *out, size_t size, double seconds);

#endif
