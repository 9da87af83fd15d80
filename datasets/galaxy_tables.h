/* SPDX-License-Identifier: MIT */
/* The Milky Way of Widrow & Dubinski (2005) as numbers: a realisation of GalactICS reduced to
 * tables. Unit of length kpc, of velocity 100 km/s, of mass 2.324876e9 solar masses, so that G = 1;
 * unit of time 9.778 million years. */
#ifndef ORR_GALAXY_TABLES_H
#define ORR_GALAXY_TABLES_H

/* The disk: surface density ~ exp(-R / R_d) erfc((R - R_t) / (sqrt 2 w)) / 2, density over height ~
 * sech^2(z / z_d). */
static const double orr_galaxy_disk_length = 2.817029;
static const double orr_galaxy_disk_height = 0.439065;
static const double orr_galaxy_disk_end = 30;      /* R_t */
static const double orr_galaxy_disk_end_width = 1; /* w */
/* Radial velocity dispersion: 0.7 exp(-R / 5.634). */
static const double orr_galaxy_disk_dispersion = 0.7;
static const double orr_galaxy_dispersion_length = 5.634;

/* r and the fraction of the component's mass inside, both spheroids. */
static const double orr_galaxy_bulge_points[][2] = {
    {.03, .00757}, {.1, .03650},  {.2, .10902}, {.3, .19850},  {.5, .38457}, {.75, .58696},
    {1, .74044},   {1.5, .91894}, {2, .98477},  {2.5, .99904}, {3.07, 1}};
static const double orr_galaxy_halo_points[][2] = {
    {.1, .00005},  {.2, .00016},  {.3, .00032},  {.5, .00079}, {.75, .00158}, {1, .00258},
    {1.5, .00516}, {2, .00849},   {2.5, .01255}, {3, .01733},  {4, .02890},   {5, .04285},
    {6, .05884},   {8, .09554},   {10, .13665},  {12, .18038}, {15, .24801},  {20, .35890},
    {25, .46130},  {30, .55247},  {40, .69838},  {50, .80280}, {60, .87519},  {70, .92406},
    {80, .95616},  {100, .98850}, {120, .99841}, {148.1, 1}};

/* R and the square of the speed that the disk's own field would hold on a circle in its plane:
 * quadrature of the density above. With M/r of the spheroids it gives the rotation curve of Widrow
 * & Dubinski's model within 1.2 %. */
static const double orr_galaxy_disk_speed2[][2] = {
    {.1, .0062078}, {.2, .02316},  {.3, .048786}, {.4, .081448}, {.5, .11983},   {.7, .20955},
    {1, .36491},    {1.5, .64497}, {2, .91867},   {2.5, 1.1661}, {3, 1.3786},    {3.5, 1.5535},
    {4, 1.6916},    {4.5, 1.7957}, {5, 1.8692},   {5.5, 1.9162}, {6, 1.9406},    {6.5, 1.946},
    {7, 1.9359},    {8, 1.8807},   {9, 1.7948},   {10, 1.6927},  {11.5, 1.5298}, {13, 1.372},
    {15, 1.1849},   {17.5, .9952}, {20, .8496},   {25, .6524},   {30, .5302},    {35, .4472},
    {40, .3879},    {50, .3074},   {70, .2179},   {100, .152}};

#endif
