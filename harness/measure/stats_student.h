/* Student's t distribution, for any positive number of degrees of freedom. */
#ifndef ORR_STATS_STUDENT_H
#define ORR_STATS_STUDENT_H

/* The probability of a value above t. */
double orr_stats_student_tail(double t, double freedom);
/* The value that is exceeded with probability `tail`, from 1e-9 to 0.5. */
double orr_stats_student_quantile(double tail, double freedom);

#endif
