/* SPDX-License-Identifier: MIT */
/* The most a device can do: rates of the instruction mixes of pair interactions held in
 * registers. */
#ifndef ORR_CEILING_H
#define ORR_CEILING_H

#include <jansson.h>

#include "device/device.h"

struct orr_span {
    /* Runs them and says how long that took. */
    int (*run)(void *context, long loops, double *seconds);
    void *context;
    long loops;    /* to begin with; then those of the latest span */
    long most;     /* however short the span then is */
    int spans;     /* of which the shortest counts: it was disturbed least */
    double span_s; /* ORRERY_SPAN_SECONDS may make it shorter */
};

/* Lets the loops grow until a span takes half of span_s at least, about span_s; gives the shortest
 * of so many. ORR_EDEVICE where no time passes. */
int orr_ceiling_span(struct orr_span *span, double *seconds);

/* Launches a kernel and waits; its time by device events. */
int orr_ceiling_launch(struct orr_device *device, struct orr_program *program,
                       const struct orr_launch *launch, double *seconds);

/* The work of a slot, as in kernels/ceiling.cl. */
enum orr_ceiling_kind {
    ORR_CEILING_MIX,     /* 12 FMA and 1 reciprocal square root */
    ORR_CEILING_FMA,     /* 12 FMA */
    ORR_CEILING_3D,      /* PAIR of kernels/pair.h: acceleration and potential in space */
    ORR_CEILING_3D_BOTH, /* the same for both bodies, by the third law: two ordered pairs a slot */
    ORR_CEILING_2D,      /* PAIR2: in the plane, near fields among them */
    ORR_CEILING_2D_BOTH, /* PAIR2_BOTH: two ordered pairs a slot */
    ORR_CEILING_3D_MATRIX, /* 3D_BOTH where matrix units do all but r^-3: two ordered pairs a slot
                            */
    ORR_CEILING_3D_NODE,   /* PAIR_NODE: what a cell with a quadrupole does to a body */
    ORR_CEILING_KINDS,
    ORR_CEILING_FIRST_PAIR = ORR_CEILING_3D
};

struct orr_ceiling {
    double interactions_per_second;  /* groups of 12 fp32 FMA and 1 reciprocal square root */
    double fma_per_second;           /* independent fp32 FMA lanes */
    double pairs[ORR_CEILING_KINDS]; /* ordered pairs per second of kinds of pairs, else 0 */
};

/* Takes 0.3 to 0.8 s on an idle device, plus compilation. The best of several spans, which is the
 * least disturbed. A new *sensors, NULL after an error, is what orr_sensors_stop tells of that
 * time; NULL: nobody asks. */
int orr_ceiling_measure(struct orr_device *device, struct orr_ceiling *out, json_t **sensors);
/* "3d" ..., as in the journal. */
const char *orr_ceiling_name(enum orr_ceiling_kind kind);

/* Single operations in chains, that begin at 1 to ORR_CEILING_CHAINS and go from v to: */
enum orr_ceiling_operation {
    ORR_CEILING_ADD,      /* v + c */
    ORR_CEILING_MUL,      /* v c d */
    ORR_CEILING_RSQRT,    /* 1 / sqrt(v) + c, as exact as in ORR_CEILING_3D */
    ORR_CEILING_FMA_FP64, /* v c + d in double precision */
    ORR_CEILING_OPERATIONS
};
enum { ORR_CEILING_CHAINS = 8 };

/* The host's loops have the operations of kernels/ceiling.cl. Pairs in the plane alone take the
 * third power of the root as variants of the host do (variants/common/simd_cube.h). */
struct orr_ceiling_host {
    /* Runs `loops` passes, each of 4 slots a lane, on one thread; gives the mean result of a slot.
     */
    double (*run[ORR_CEILING_KINDS])(long loops, float c, float d);
    /* The same of one operation; gives the mean of all lanes of the chains. */
    double (*operate[ORR_CEILING_OPERATIONS])(long loops, double c, double d);
    int bytes; /* of a vector */
};

/* The widest that this processor has. */
const struct orr_ceiling_host *orr_ceiling_host_best(void);

#endif
