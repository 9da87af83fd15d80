/* A smooth curve through a few printed points (r, value), both positive: a monotone cubic of ln
 * value over ln r (Fritsch & Butland 1984). Value and slope are continuous, and a power law, which
 * is what masses near a centre are, is met exactly. */
#ifndef ORR_GALAXY_CURVE_H
#define ORR_GALAXY_CURVE_H

enum { ORR_GALAXY_POINTS = 48 };

struct orr_galaxy_curve {
    int count; /* points */
    double x[ORR_GALAXY_POINTS], y[ORR_GALAXY_POINTS],
        slope[ORR_GALAXY_POINTS]; /* ln r, ln value, d y / d x */
};

/* 3 <= count <= ORR_GALAXY_POINTS points by growing r. Before the first point the curve goes on as
 * the power law of the first two; behind the last one as that of the last two, or with `flat_end`
 * it arrives there level and stays so. */
void orr_galaxy_curve_make(struct orr_galaxy_curve *curve, const double (*points)[2], int count,
                           int flat_end);
/* ln value at ln r = x; *slope receives d ln value / d ln r. */
double orr_galaxy_curve_log(const struct orr_galaxy_curve *curve, double x, double *slope);
/* The value at ln r = x. */
double orr_galaxy_curve_at(const struct orr_galaxy_curve *curve, double x);

#endif
