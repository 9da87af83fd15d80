/* Parts of `orrery watch`. */
#ifndef ORR_CLI_WATCH_PARTS_H
#define ORR_CLI_WATCH_PARTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/options.h"
#include "run/watched.h"

enum { ORR_WATCH_RECENT = 16 };

/* A measurement that came to a journal. */
struct orr_watch_item {
    size_t run;     /* whose */
    json_t *record; /* of its round */
    char *head;     /* "[2: 7/41] fujiwara/optimised random-3d n=18000 host … " */
    char *result;   /* what came out of its rounds up to then; NULL: not asked yet */
    size_t serial;  /* from 1 */
    char began[32]; /* ISO 8601 */
};

/* What takes seconds is done by a process of its own: claims and the page. */
struct orr_watch_job {
    int pid; /* 0: none is at work */
    int pipe;
    char *answer;
    size_t answered;
    double began, ended, took; /* of the clock; 0: never */
    size_t of;                 /* so many measurements were known */
    bool final;                /* when all was over */
    double judged;             /* since 1970; 0: never */
    json_t *claims;            /* rows of the verdicts; NULL: none yet */
    char failed[512], page[1024];
};

struct orr_watch {
    struct orr_words what, more; /* more: results that the page shows as well */
    const char *root, *report;   /* report: NULL, or the folder of the page */
    double every_s;
    bool once, as_json, claims;
    struct orr_watched *runs; /* several of one campaign, or as they were named */
    size_t count;
    struct orr_watch_item recent[ORR_WATCH_RECENT]; /* oldest first */
    size_t recent_count, heard;                     /* heard: measurements so far */
    double searched;                                /* of the clock: when shards were looked for */
    struct orr_watch_job job;
};

/* Which runs: as they are named, else the newest that is being written, else the newest. */
int orr_watch_find(struct orr_watch *watch);
/* Takes in other shards of the campaign of its runs, as they begin. */
int orr_watch_adopt(struct orr_watch *watch);
/* Reads on in all journals. */
int orr_watch_look(struct orr_watch *watch);
/* Is no run left that goes on? */
bool orr_watch_is_over(const struct orr_watch *watch);
/* The worst of the runs' exit codes; 0 while they go on. */
int orr_watch_exit(const struct orr_watch *watch);
void orr_watch_release(struct orr_watch *watch);
/* The rounds of the item's cell up to its own as one record, a new reference. */
json_t *orr_watch_whole(const struct orr_watch *watch, const struct orr_watch_item *item);
/* What came of them, on one line. */
const char *orr_watch_result(struct orr_watch *watch, struct orr_watch_item *item);
/* "1980 MHz, 612 W, 54 °C, load 0.9"; "" where nothing is known. */
void orr_watch_sensors(char *out, size_t size, const json_t *record);
/* How to go on with a run that ended before its end: "orrery run --resume ...". */
void orr_watch_resume(char *out, size_t size, const struct orr_watched *run);

/* --- what is shown --- */

/* The picture: a column less where nothing may be wrapped; SIZE_MAX rows and columns for all. */
struct orr_watch_size {
    size_t columns, rows;
    bool colour, screen; /* screen: lines are written over */
};
int orr_watch_picture(FILE *to, struct orr_watch *watch, const struct orr_watch_size *size);
/* The lines above its cells, and those below. */
int orr_watch_begin_lines(FILE *to, struct orr_watch *watch);
int orr_watch_end_lines(FILE *to, struct orr_watch *watch);
json_t *orr_watch_to_json(struct orr_watch *watch);

/* --- the job --- */

/* Starts it when it is time: claims and page. */
int orr_watch_job_start(struct orr_watch *watch);
/* Is one at work, or to be done before the end? */
bool orr_watch_job_waits(const struct orr_watch *watch);
/* Takes what it has said. */
int orr_watch_job_hear(struct orr_watch *watch);
void orr_watch_job_end(struct orr_watch *watch);

#endif
