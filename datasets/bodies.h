/* SPDX-License-Identifier: MIT */
/* Bodies: the particles every data set, snapshot reader and variant exchanges. G = 1. */
#ifndef ORR_BODIES_H
#define ORR_BODIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct orr_bodies {
    size_t n;            /* number of bodies */
    int dimensions;      /* 2 or 3; in 2D pos[2] and vel[2] are all zero */
    double *pos[3];      /* positions, n each, [length] */
    double *vel[3];      /* velocities, n each, [length/time] */
    double *mass;        /* n, [mass], >= 0 */
    unsigned char *type; /* of each body as Gadget counts them (0 gas, 1 dark, 4 star), not
                            falling; NULL: all dark */
    double gravity;      /* G in the units that the file names; 0 when it names none */
    double expansion;    /* scale factor of a cosmological snapshot, 0 of any other */
    double period;       /* edge of a periodic box, 0: none */
    double eps;          /* softening length the data set was made for; 0 when it names none */
    double dt;           /* time step the data set was made for; 0 when it names none */
    double corner[2];    /* lower-left corner and edge of the square domain that boxes divide,
                            [length]; edge 0: the */
    double edge; /* smallest square that holds all bodies, its lower-left corner at their minima
                    (boxes.h) */
    double softening[2]; /* least and largest of the file's own lengths, where eps is none of them;
                            0: it names none */
    double origin[3];    /* where most bodies are: what is single about it loses least. Only of
                            positions that are not floats */
    /* Of bodies that come from a file; variants do not see these. */
    uint64_t *id;    /* of each body, as the file names it; NULL: it names none */
    bool signed_ids; /* they are int64_t, some perhaps below 0 */
    bool by_type;    /* of several files or types: type by type, each through all files */
    char *notes;     /* what the reader left out or doubts, a line each; NULL: nothing */
    char *source;    /* HDF5 file whose header and units hold for the bodies; NULL: none */
    double time;     /* of the snapshot; 0 when it names none */
};

/* The columns by number: positions, velocities, mass. */
enum { ORR_COLUMNS = 7 };
extern const char
    *const orr_bodies_columns[ORR_COLUMNS]; /* "x", "y", "z", "vx", "vy", "vz", "mass" */
/* The n values of column `k`. */
double *orr_bodies_column(const struct orr_bodies *bodies, int k);

/* From so many bodies on several threads make them and look through them. */
enum { ORR_BODIES_MANY = 100000 };

/* Zeroed arrays for n bodies. `bodies` may hold anything before; 0 or ORR_EMEMORY. */
int orr_bodies_make(struct orr_bodies *bodies, size_t n, int dimensions);
/* Room for so many, n and what it holds as before. 0 or ORR_EMEMORY. */
int orr_bodies_widen(struct orr_bodies *bodies, size_t room);
/* Adds types, all dark. 0 or ORR_EMEMORY. */
int orr_bodies_add_types(struct orr_bodies *bodies);
/* Gadget has 6 types, SWIFT 7 or 8, Gadget-4 as many as NTYPES. */
enum { ORR_BODY_TYPES = 16, ORR_DARK = 1 };
/* Adds ids, all 0. 0 or ORR_EMEMORY. */
int orr_bodies_add_ids(struct orr_bodies *bodies);
/* Adds a line to the notes. */
void orr_bodies_note(struct orr_bodies *bodies, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Safe on a zeroed or half-made object; leaves it zeroed. */
void orr_bodies_release(struct orr_bodies *bodies);
/* Rounds every value to the nearest float, so that fp32 codes and the fp64 reference see one input.
 */
void orr_bodies_round(struct orr_bodies *bodies);
/* ORR_EINPUT with a message naming body and column on NaN, infinity or negative mass. */
int orr_bodies_check(const struct orr_bodies *bodies);
/* Finds two bodies at one position: 1 and their indices, else 0; negative on no memory. */
int orr_bodies_coincident(const struct orr_bodies *bodies, size_t *first, size_t *second);
/* SHA-256, lower-case hex (65 bytes), over n, dimensions, pos, vel, mass as little-endian doubles
 * in that order. */
void orr_bodies_sha256(const struct orr_bodies *bodies, char hex[65]);

#endif
