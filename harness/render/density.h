/* How many bodies, or how much mass, is in each pixel. */
#ifndef ORR_DENSITY_H
#define ORR_DENSITY_H

#include "render/view.h"

enum orr_weight { ORR_WEIGHT_MASS, ORR_WEIGHT_NUMBER };

struct orr_density {
    int width, height;
    double *light; /* width * height, rows from the top down: mass or bodies in each pixel */
};

/* Room for pictures of this size, zeroed. 0 or ORR_EMEMORY. */
int orr_density_make(struct orr_density *out, int width, int height);
void orr_density_release(struct orr_density *density);
/* Counts all bodies that are in view, in the order of the input. */
void orr_density_count(struct orr_density *density, const struct orr_view *view,
                       const struct orr_bodies *bodies, enum orr_weight weight);
/* Spreads each pixel over its neighbours by a Gaussian of standard deviation `sigma` pixels, 0 to
 * ORR_SMEAR_LARGEST; 0 leaves all as it is. What is spread beyond the edge is lost. 0 or
 * ORR_EMEMORY. */
enum { ORR_SMEAR_LARGEST = 16 };
int orr_density_smear(struct orr_density *density, double sigma);
/* The share of its light that a pixel keeps. */
double orr_density_kept(double sigma);
/* The brightest pixel. */
double orr_density_peak(const struct orr_density *density);

#endif
