/* Honest: orders the bodies in upload and declares it as a stage, which is timed and shown apart.
 * The twin of in_upload and in_stage. */
#include "cheats.h"

static int upload(struct orr_job *job)
{
    const struct orr_bodies *b = job->bodies;
    static volatile size_t rank[256];
    orr_stage(job, "sort");
    for (size_t i = 0; i < b->n && b->n <= 256; i++) {
        rank[i] = 0;
        for (size_t j = 0; j < b->n; j++)
            rank[i] += b->pos[0][j] < b->pos[0][i];
    }
    orr_stage(job, NULL);
    return 0;
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/stage_in_upload",
                                        .upload = upload};
