/* SPDX-License-Identifier: MIT */
/* Counting accesses: the instrumented column of an audit. A kernel writes each access that a cost
 * model counts as
 *
 *     x = COUNTED(counts, ORR_SR, 3, tile[j]);      reads three words of local memory
 *     COUNTED(counts, ORR_GW, 2, acc[i] = sum);     writes two words of global memory
 *     COUNT(counts, ORR_CP, 1);                     one pair evaluated
 *
 * which is the bare access, or nothing, unless it is compiled with -DORRERY_COUNT=1: one source, so
 * that counts cannot drift away from what is counted. Words are single-precision numbers, as in
 * Shan & Lei 2012, section IV A; indices and lists are a kind of their own. */
#ifndef ORR_COUNT_H
#define ORR_COUNT_H

/* Kinds of access; the first seven by the names of Shan & Lei 2012, Table I. */
enum orr_access {
    ORR_GR, /* reads of global memory */
    ORR_GW, /* writes to it */
    ORR_SR, /* reads of local (shared) memory */
    ORR_SW, /* writes to it */
    ORR_RR, /* reads of the sums in registers */
    ORR_RW, /* writes to them */
    ORR_CP, /* pairs of bodies evaluated */
    ORR_AS, /* atomic updates of local memory; neither in SR nor in SW */
    ORR_AG, /* atomic updates of global memory; neither in GR nor in GW */
    ORR_IR, /* reads of indices and lists in global memory; not in GR, and in no paper's formula */
    ORR_AD, /* of each AS the lanes of its warp that update the same word at the same time, itself
               among them: AD / AS is the mean degree of conflict */
    ORR_LP, /* lanes that a warp holds while it evaluates pairs, idle ones too: at least CP */
    ORR_BA, /* barriers, each once a group */
    /* What tables of accesses have no column for. A walker is a body, or bodies that walk a tree
     * together. */
    ORR_CX, /* pairs evaluated for nothing: a body with itself, padding, lanes without a body */
    ORR_CN, /* pairs of a body and a cell evaluated */
    ORR_CY, /* the same for nothing: lanes without a body */
    ORR_CE, /* cells that act on a group of bodies as one, by the series of their field */
    ORR_PJ, /* passes of the innermost loop over bodies j */
    ORR_CT, /* cells that walkers test */
    ORR_CA, /* of these: cells that act as a whole */
    ORR_CL, /* of these: leaves that are opened */
    ORR_CB, /* bodies of those leaves */
    ORR_TB, /* cells that bodies test: those of CT that a body would test alone */
    ORR_TL, /* CT, each for all lanes that walk together */
    ORR_AF, /* attempts that failed: a lock was taken, or another came first */
    /* What a group waits for, each once a group by the thread that waits longest; what waits at the
     * same time counts once. */
    ORR_NG, /* groups */
    ORR_DG, /* loads from global memory, each of which needs the one before or stands behind a
               barrier */
    ORR_DP, /* pairs evaluated one after another */
    ORR_DF, /* atomic updates of global memory one after another */
    ORR_ACCESS_KINDS
};

/* Procedures of a program that counts, at most. */
enum { ORR_COUNT_PROCEDURES = 4 };

/* The parts of a near field as Shan & Lei 2012, Table I, divide it. */
enum orr_near_procedure {
    ORR_FATHER_BOX,    /* a box's bodies among themselves */
    ORR_NEIGHBOUR_BOX, /* with those of the boxes around it */
    ORR_RETURN,        /* sums from registers to memory */
    ORR_NEAR_PROCEDURES
};

#ifdef KERNEL /* device code: the dialect stands before this file */

#ifndef ORRERY_COUNT
#define ORRERY_COUNT 0
#endif

#if ORRERY_COUNT
struct orr_tally {
    u64 words[ORR_COUNT_PROCEDURES * ORR_ACCESS_KINDS];
    i32 procedure;
};

INLINE void orr_tally_clear(struct orr_tally *counts)
{
    for (i32 k = 0; k < ORR_COUNT_PROCEDURES * ORR_ACCESS_KINDS; k++)
        counts->words[k] = 0;
    counts->procedure = 0;
}

INLINE void orr_tally_flush(const struct orr_tally *counts, GLOBAL u32 *totals)
{
    for (i32 k = 0; k < ORR_COUNT_PROCEDURES * ORR_ACCESS_KINDS; k++)
        ATOMIC_ADD_WIDE(&totals[2 * k], &totals[2 * k + 1], counts->words[k]);
}

/* Threads of a warp. A processor runs them one after another: each is alone, and none waits. */
#ifndef COUNT_WARP
#define COUNT_WARP (ORR_CPU ? 1 : ORR_WARP)
#endif

/* COUNT_STATE stands in the kernel's body before anything is counted, COUNT_FLUSH at its end.
 * COUNT_IN: what follows belongs to procedure p, 0 <= p < ORR_COUNT_PROCEDURES. */
#define COUNT_STATE(counts) \
    struct orr_tally counts##_held; \
    struct orr_tally *const counts = &counts##_held; \
    orr_tally_clear(counts)
#define COUNT_IN(counts, p) ((counts)->procedure = (p))
#define COUNT(counts, kind, number) \
    ((counts)->words[(counts)->procedure * ORR_ACCESS_KINDS + (kind)] += (u64)(number))
#define COUNTED(counts, kind, number, access) (COUNT(counts, kind, number), (access))
/* The first lane of a warp counts the lanes of all its turns. */
#define COUNT_WARP_LANES(counts, t, turns) \
    COUNT(counts, ORR_LP, (t) % COUNT_WARP ? 0 : COUNT_WARP * (turns))
/* The group's first thread counts what the group waits for. */
#define COUNT_WAIT(counts, kind, t, number) COUNT(counts, kind, (t) ? 0 : (number))
/* The last parameter and argument of an INLINE function that counts. */
#define COUNT_PARAMETER(counts) , struct orr_tally *counts
#define COUNT_PASS(counts) , counts
/* The argument of a kernel that counts, in its launch the last but dynamic local memory: low and
 * high words of each count, procedure by procedure, zeroed before. Every thread adds its own. */
#define COUNT_ARGUMENT(totals) , GLOBAL u32 *totals
#define COUNT_FLUSH(counts, totals) orr_tally_flush(counts, totals)
#else
#define COUNT_STATE(counts)
#define COUNT_IN(counts, p)
#define COUNT(counts, kind, number) ((void)0)
#define COUNTED(counts, kind, number, access) (access)
#define COUNT_WARP_LANES(counts, t, turns) ((void)0)
#define COUNT_WAIT(counts, kind, t, number) ((void)0)
#define COUNT_PARAMETER(counts)
#define COUNT_PASS(counts)
#define COUNT_ARGUMENT(totals)
#define COUNT_FLUSH(counts, totals)
#endif

#endif
#endif
