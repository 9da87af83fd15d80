/* SPDX-License-Identifier: MIT */
/* gaburov/octgrav: the tree from the host, walks and forces on the device (Gaburov et al. 2010,
 * section 3.2). State shared by the variant's sources and its tests. */
#ifndef GABUROV_OCTGRAV_H
#define GABUROV_OCTGRAV_H

#include "octree.h"
#include "variants/common/counting.h"
#include "variants/common/host_bodies.h"

enum octgrav_scan { OCTGRAV_SCAN_HOST, OCTGRAV_SCAN_DEVICE };
enum octgrav_walk { OCTGRAV_TWO_WALKS, OCTGRAV_ONE_WALK };
enum octgrav_share { OCTGRAV_SHARE_OFF, OCTGRAV_SHARE_ON };

struct octgrav_params {
    struct gaburov_common common;
    struct gaburov_tree_params tree;
    int32_t build;        /* enum gaburov_build */
    int32_t ngroup;       /* most bodies of a group; with the recursion one less, as in leaves */
    int32_t host_threads; /* 0: all that the harness lends */
    int32_t scan, walk, share;
    int32_t block;      /* threads that evaluate a group's lists; 0: by the device */
    int32_t bodies;     /* of a thread; 0: by the device */
    int32_t walk_block; /* groups that walk in one block of threads; 0: by the device */
    double list_mb;     /* of memory for lists; 0: by the device */
    int32_t positions;  /* enum positions */
};

/* Arrays in device memory, as kernels/gaburov_octgrav.cl names them. The first are made on the
 * host. */
enum octgrav_array {
    OCTGRAV_TREE,
    OCTGRAV_OPENING,
    OCTGRAV_EDGES,
    OCTGRAV_COM,
    OCTGRAV_COM_LOW, /* of pairs of floats */
    OCTGRAV_QUAD_A,
    OCTGRAV_QUAD_B,
    OCTGRAV_LEAF,
    OCTGRAV_CENTRE,
    OCTGRAV_GROUP_EDGES,
    OCTGRAV_RANGE,
    OCTGRAV_PACKED, /* how many these are */
    OCTGRAV_LENGTH = OCTGRAV_PACKED,
    OCTGRAV_OPENED,
    OCTGRAV_OFFSET,
    OCTGRAV_SUMS,
    OCTGRAV_CHUNKS,
    OCTGRAV_LIST,
    OCTGRAV_MET,
    OCTGRAV_ARRAYS
};

/* Memory that grows and keeps no contents when it does. */
struct octgrav_memory {
    struct orr_buffer *device;
    void *host; /* NULL where the host has no use for the array */
    size_t device_bytes, host_bytes;
};

/* Work of force evaluations. */
struct octgrav_work {
    double node_interactions, leaf_interactions; /* body-cell pairs, ordered body-body pairs */
    double node_entries, leaf_entries;           /* of all lists */
    double opened;                               /* nodes popped from stacks, by one walk */
    double evaluations;
};

struct octgrav {
    struct host_bodies host;
    struct gaburov_octree tree;
    size_t block, walk_block; /* threads that evaluate a group, groups in a block of the walks */
    size_t bodies, vector; /* bodies, or vectors of so many of them, of a thread that evaluates */
    size_t tile;           /* nodes or bodies that such a block has in local memory */
    size_t scan_block, scan_items;
    size_t most_entries;  /* of a chunk's lists, unless one group has more */
    size_t nodes, groups; /* of the latest tree; nodes: of the main tree-array, at least 1 */
    int32_t *number;      /* of each cell, in the main tree-array; 0 for leaves */
    size_t number_room;
    struct octgrav_memory array[OCTGRAV_ARRAYS];
    uint32_t chunks; /* of the latest evaluation */
    struct orr_buffer *body, *acc;
    struct orr_buffer *low; /* float4, low parts of pairs by key; else NULL */
    float *staging;         /* acc, by key */
    struct orr_program *walks, *scan, *forces;
    struct counting counting;
    struct octgrav_work work; /* of evaluations of this step before the latest */
    int evaluated;            /* whether there is a latest */
};

extern const struct orr_source octgrav_sources[4];

/* --- octgrav_memory.c --- */

/* Room for `bytes` on the device, and on the host. ORR_EMEMORY. */
int octgrav_reserve_device(struct orr_job *job, enum octgrav_array which, size_t bytes);
int octgrav_reserve_host(struct orr_job *job, enum octgrav_array which, size_t bytes);
void octgrav_memory_release(struct orr_job *job);

/* --- octgrav_pack.c: section 3.2.1, "its structure requires some reorganisation" --- */

/* The arrays up to OCTGRAV_PACKED from s->tree, in host memory. */
int octgrav_pack(struct orr_job *job);
/* Those arrays, and the bodies by key, to the device. */
int octgrav_transfer(struct orr_job *job);

/* --- octgrav_scan.c --- */

/* From OCTGRAV_LENGTH to OCTGRAV_OFFSET and chunks: as the parameter says on the host or on the
 * device. On return `chunks` of s holds how many there are and the host side of OCTGRAV_CHUNKS is {
 * chunks, entries of the longest, first group of each chunk ..., groups }. */
int octgrav_scan(struct orr_job *job);

/* --- octgrav_device.c --- */

/* Programs, by the shape that s has. */
int octgrav_build(struct orr_job *job);
/* Launches a kernel over `groups` blocks of `block` threads. */
int octgrav_launch(struct orr_job *job, struct orr_program *program, const char *kernel,
                   size_t groups, size_t block, const struct orr_arg *args, int count);
#define OCTGRAV_LAUNCH(job, program, kernel, groups, block, args)         \
    octgrav_launch((job), (program), (kernel), (groups), (block), (args), \
                   (int)(sizeof(args) / sizeof *(args)))
#define OCTGRAV_ARG(s, which) ORR_BUF((s)->array[which].device)
/* Walks and forces of the packed tree: accelerations by key in s->acc. */
int octgrav_evaluate(struct orr_job *job);

/* --- octgrav_cost.c --- */

/* Adds the latest evaluation. Waits for the device. */
int octgrav_tally(const struct orr_job *job, struct octgrav_work *work);
int octgrav_cost(const struct orr_job *job, struct orr_cost *out);

#endif
