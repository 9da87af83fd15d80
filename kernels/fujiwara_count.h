/* SPDX-License-Identifier: MIT */
/* What the counting builds of the fujiwara kernels count (count.h). */
#ifndef FUJI_COUNT_H
#define FUJI_COUNT_H

/* Procedures. */
enum fuji_procedure {
    FUJI_LOADS, /* a thread's bodies i */
    FUJI_PAIRS, /* the loops over j, and their tiles */
    FUJI_SUMS   /* accelerations, and what adds up shares of them */
};

#ifdef KERNEL
/* Number of bodies without padding; the counting build defines it. */
#ifndef COUNT_BODIES
#define COUNT_BODIES 0x7fffffff
#endif
/* Whether body j is asked to act on body i. */
#define COUNT_MEETS(i, j) ((i) != (j) && (i) < COUNT_BODIES && (j) < COUNT_BODIES)
#endif

#endif
