/* SPDX-License-Identifier: MIT */
/* The whole plugin contract. A variant is one algorithm of a paper, built as one shared object that
 * exports one symbol, `orr_variant`. It never prints, times or opens a file: the harness does.
 * docs/WRITING_A_VARIANT.md is the guide, variants/skeleton/skeleton.c the smallest complete
 * example. */
#ifndef ORR_VARIANT_H
#define ORR_VARIANT_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "datasets/bodies.h"
#include "device/device.h"
#include "error.h"
#include "kernels/count.h"
#include "ranks/ranks.h"

#define ORR_VARIANT_ABI 6u

enum orr_capability {
    ORR_RUNS_HOST = 1 << 0,   /* plain C on the host */
    ORR_RUNS_OPENCL = 1 << 1, /* kernels on any OpenCL device */
    ORR_RUNS_CUDA = 1 << 2,   /* kernels on CUDA */
    ORR_NEEDS_FP64 = 1 << 3,  /* the device must have double precision */
    ORR_NEEDS_SHUFFLE = 1 << 4,
    ORR_INTEGRATES = 1 << 5, /* takes `steps` and `dt`: steps > 0 integrates by leap-frog, or as a
                                CHOICE `integrator` says, fetch returns pos and vel */
    ORR_NEAR_FIELD = 1 << 6, /* takes `level`: only forces from bodies in the own and the 8 adjacent
                                boxes (boxes.h) */
    ORR_TREE_CODE = 1 << 7,  /* takes `theta`: forces of far cells are approximated; theta = 0 is
                                the direct sum. One that has no tree for few bodies says so by a
                                CHOICE `all_pairs` of auto, on and off */
    /* Of what kind the pairs are, so that the rate is measured by the right ceiling: */
    ORR_THIRD_LAW = 1 << 8,     /* a pair is evaluated once, for both bodies */
    ORR_MONOPOLES = 1 << 9,     /* of a tree code: far cells act as one body each, so that every
                                   interaction is a pair of bodies */
    ORR_MATRIX_UNITS = 1 << 10, /* in space, with ORR_THIRD_LAW: matrix units do all of a pair but
                                   r^-3 */
    ORR_REPLAYS = 1 << 11, /* after an upload every step queues the same launches, copies and fills
                             and does nothing else: steps back to back may be recorded once and
                             replayed (a CUDA graph). On several ranks ORR_SETTLING_STEPS more come
                             before that, in which they choose who has which bodies */
    /* Several ranks, each with a device of its own, can share a step (ranks/ranks.h): upload takes
     * this rank's part of the bodies to the device, step exchanges what it needs of the others,
     * fetch fills in this rank's bodies alone, cost is that of all ranks. */
    ORR_RUNS_RANKS = 1 << 12,
    /* Takes bodies whose values are doubles, not floats, as `eval` has them; one with a CHOICE
     * `positions` of single and pairs only with pairs (floats in pairs, high and low part). */
    ORR_TAKES_DOUBLES = 1 << 13
};

enum { ORR_SETTLING_STEPS = 2 };

enum orr_param_type { ORR_PARAM_INT, ORR_PARAM_FLOAT, ORR_PARAM_CHOICE };

/* One typed parameter: a member of the variant's parameter struct. int32_t for INT, double for
 * FLOAT, int32_t index into `choices` for CHOICE. A FLOAT named eps or dt with fallback NAN takes
 * the data set's own value. */
struct orr_param {
    const char *name;
    enum orr_param_type type;
    size_t offset;       /* offsetof in the parameter struct */
    double fallback;     /* default; for CHOICE the index */
    double min, max;     /* inclusive; ignored for CHOICE */
    const char *choices; /* "native|cas|fixed" for CHOICE; of an INT that does not take every value
                            "1|2|4|8" or "*8", its multiples; else NULL */
    const char *help;    /* one line, with unit */
};

/* What the harness lends a variant. */
struct orr_host {
    int (*fail)(int code, const char *file, int line, const char *format, ...)
        __attribute__((format(printf, 4, 5)));
    int threads; /* host threads a multi-threaded variant may use */
    /* What follows on the host belongs to stage `name` ("encode", "sort" ...) until the next call;
     * NULL ends it. The harness clocks stages apart from everything else; orr_phase does the same
     * for what a device does. NULL: nobody asks. */
    void (*stage)(const char *name);
};
#define ORR_FAIL(job, code, ...) (((job)->host->fail)((code), __FILE__, __LINE__, __VA_ARGS__))

/* One cell in a variant's hands. Everything but *state and note is read-only to the variant. */
struct orr_job {
    const struct orr_host *host;
    struct orr_device *device;       /* the "host" device for ORR_RUNS_HOST */
    const struct orr_bodies *bodies; /* values representable as float, but for ORR_TAKES_DOUBLES;
                                        read-only memory. Masses, their address, the
                                        order of the bodies, order and signs of the
                                        axes change before each upload, but for near
                                        fields masses alone: their boxes stay */
    const void *params;      /* the variant's parameter struct, filled in and range-checked */
    void *state;             /* state_size zeroed bytes, the variant's own */
    struct orr_ranks *ranks; /* the others that compute this step; NULL: it is alone, as prepare may
                                make it where the others then do nothing */
    char note[256]; /* the variant may say how it set itself up ("avx512f, 2 threads"); goes to the
                       journal */
};

static inline void orr_stage(const struct orr_job *job, const char *name)
{
    if (job->host->stage)
        job->host->stage(name);
}

/* Accelerations of all bodies in input order, arrays of bodies->n floats allocated by the harness.
 * a = sum_{j != i} m_j d / (d^2 + eps^2)^1.5, phi = - sum_{j != i} m_j / (d^2 + eps^2)^0.5, d = x_j
 * - x_i (Fujiwara & Nakasato 2009, eq. 1, with the sign the paper leaves out). */
struct orr_forces {
    float *acc[3];
    float *phi; /* a variant without potential leaves it alone and says so with has_phi = 0 */
    int has_phi;
    float *pos[3]; /* with ORR_INTEGRATES and steps > 0: positions and velocities at the end; acc
                      and phi belong to */
    float *vel[3]; /* these positions. Otherwise untouched. */
};

/* Work of one step() call. */
enum { ORR_MAX_FIGURES = 24 };
struct orr_cost {
    double interactions; /* ordered body-body pairs served, self pairs not counted: a pair evaluated
                          * once for both bodies (Newton's third law) counts twice, so that rates
                          * compare */
    double flops_convention; /* by the paper's own convention (fujiwara: 38 an interaction) */
    double flops_true;       /* counted from the source: beside the statements in the kernel */
    double bytes_min; /* least traffic to device memory: each input read once, each output written
                         once */
    /* What else the variant knows of that work, by name: "node interactions", "groups" ... For the
     * journal. */
    int figure_count;
    struct {
        const char *name;
        double value;
    } figures[ORR_MAX_FIGURES];
};

/* The figure of a step on several ranks: bytes that reach one of them from the others. */
#define ORR_FIGURE_RECEIVED "bytes a rank receives"

/* Figures of a tree code in space: how many of the interactions are PAIR_NODE of kernels/pair.h,
 * cells with quadrupoles, and how many PAIR, bodies and cells without. Their ceilings together are
 * the code's; what acts otherwise is in neither. */
#define ORR_FIGURE_NODE_PAIRS "pairs with quadrupoles"
#define ORR_FIGURE_BODY_PAIRS "pairs with masses"

/* One more figure; `name` outlives the job. */
static inline void orr_figure(struct orr_cost *out, const char *name, double value)
{
    assert(out->figure_count < ORR_MAX_FIGURES);
    out->figures[out->figure_count].name = name;
    out->figures[out->figure_count++].value = value;
}

/* Exact numbers of accesses of one step() call by procedure ("Father box" ...), kinds in
 * kernels/count.h. */
enum { ORR_MAX_PROCEDURES = 8 };
struct orr_counts {
    int count;
    struct {
        const char *name;
        uint64_t of[ORR_ACCESS_KINDS];
    } procedures[ORR_MAX_PROCEDURES];
};

struct orr_variant {
    uint32_t abi;          /* ORR_VARIANT_ABI */
    uint32_t size;         /* sizeof(struct orr_variant) */
    const char *name;      /* "fujiwara/optimised": paper and variant */
    const char *summary;   /* one line */
    uint32_t capabilities; /* enum orr_capability */
    int dimensions;        /* 2 or 3: of the bodies it takes */
    const struct orr_param *params;
    size_t param_count;
    size_t params_size; /* sizeof the parameter struct */
    size_t state_size;
    const struct orr_source
        *sources; /* kernels it compiles, for the compile and race tests; NULL for host variants */
    size_t source_count;
    const char *build_flags; /* compiler flags of host code: ORR_BUILD_FLAGS; for the journal */
    /* "atomic=none": the choice of a parameter with which results are wrong on purpose, because a
     * paper's program may have been so. Only an audit sees such times (docs/METHOD.md). NULL: there
     * is none. */
    const char *wrong_on_purpose;

    /* All return 0 or a negative orr_code with the message set. NULL means "not needed" (step and
     * fetch are needed). */
    int (*prepare)(struct orr_job *job); /* untimed: allocate, compile */
    int (*upload)(struct orr_job *job);  /* host to device; resets the state to the input, with the
                                            masses of now. Timed end to end */
    int (*step)(struct orr_job *job);    /* timed; may return before the device is done */
    int (*fetch)(struct orr_job *job,
                 struct orr_forces *out); /* device to host. Timed end to end */
    int (*cost)(const struct orr_job *job,
                struct orr_cost *out); /* of the latest step, into a zeroed `out` */
    /* Runs the step once more from the same source compiled with -DORRERY_COUNT=1; untimed. The
     * forces it computes are left where fetch() finds them: the harness verifies that the counting
     * build is still right. */
    int (*count)(struct orr_job *job, struct orr_counts *out);
    void (*release)(struct orr_job *job); /* safe after a partial prepare */
};

/* A plugin defines exactly this symbol and no other global one. */
__attribute__((visibility("default"))) extern const struct orr_variant orr_variant;

#endif
