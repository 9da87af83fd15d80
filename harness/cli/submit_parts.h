/* Parts of `orrery submit`. */
#ifndef ORR_CLI_SUBMIT_PARTS_H
#define ORR_CLI_SUBMIT_PARTS_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/run_parts.h"

/* A shard of the campaign: what its journal and the queue say. */
struct orr_submit_shard {
    char path[1024]; /* of its journal; "": there is none */
    size_t cells;    /* that are over */
    bool ended, interrupted;
    int failed, wrong; /* cells, when it ended */
    char queued[32];   /* state in the queue: "PENDING", "RUNNING" ...; "": not there */
    char why[64];      /* it waits */
    int tries;         /* submitted so often */
    int missed;        /* looks at the queue in a row that did not find it */
};

struct orr_submit {
    struct orr_words words; /* of `run` */
    struct orr_words sbatch;
    const char *account, *partition, *gpus, *cpus, *time, *resume;
    double shard_count, most_tries, every_s;
    bool slurm, follow, failed, dry_run;
    struct orr_run_options run;
    int count;         /* shards */
    char name[40];     /* of the campaign: its UTC start and four hex digits */
    char started[32];  /* ISO 8601, UTC */
    char folder[1024]; /* <results>/campaigns/<name> */
    long minutes;      /* that a job may take */
    size_t plan_cells; /* of all shards; 0: not known yet */
    json_t *jobs;      /* `{job, shards}` of each submission */
    struct orr_submit_shard *shards;
};

/* Fills `minutes` from --time, or from what the longest shard is estimated to take, by journals of
 * the machine that has the devices. ORR_EUSAGE where nothing is known of them. */
int orr_submit_estimate(struct orr_submit *submit);

/* The script of the job array. */
int orr_submit_write_script(const struct orr_submit *submit, FILE *to);
/* Submits the shards that are `wanted` as one array; adds to `jobs`. */
int orr_submit_send(struct orr_submit *submit, const bool *wanted);
/* Which shards are in the queue. */
int orr_submit_look(struct orr_submit *submit);

/* What the journals say. */
int orr_submit_read(struct orr_submit *submit);
/* Is the shard over, as far as it can be? */
bool orr_submit_is_over(const struct orr_submit *submit, const struct orr_submit_shard *shard);
/* Watches queue and journals until all shards are over; submits again what ended before. */
int orr_submit_follow(struct orr_submit *submit);
/* What became of the shards, on stdout; an exit code. */
int orr_submit_tell(const struct orr_submit *submit);

/* Keeps <folder>/campaign.json. */
int orr_submit_save(const struct orr_submit *submit);

#endif
