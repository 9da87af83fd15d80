/* What the files of `orrery claims` share, and `describe` with them. */
#ifndef ORR_CLI_CLAIMS_PARTS_H
#define ORR_CLI_CLAIMS_PARTS_H

#include <jansson.h>
#include <stdbool.h>

#include "cli/table_io.h"

/* Judges the papers of the selection; a paper without claims is an error where it is `named`. */
int orr_cli_claims_judge(struct orr_selection *selection, bool named);
/* One object per verdict, as --json shows them. */
int orr_cli_claims_gather(json_t *rows, const struct orr_selection *selection);

/* Of --expect. */
struct orr_expectation {
    const char *path;
    struct orr_paper *const *papers; /* those that were judged */
    size_t paper_count;
    const char *machine; /* the only one that was; NULL: all */
    bool listed;         /* verdicts that the file does not list are of no interest */
    json_t *agreed;      /* gets the rows that are as expected; NULL: nobody asks */
    json_t *silent; /* gets the keys of papers with results on which the file has no verdict; NULL:
                       their verdicts are changes, too */
};
/* Adds the verdicts of `rows` that are not those of the file: paper, id, machine, device, reading,
 * was, is. */
int orr_cli_claims_changes(json_t *changes, const json_t *rows,
                           const struct orr_expectation *expectation);
void orr_cli_claims_print_changes(const json_t *changes);
/* Is there a claim "S3" or "shan/S3"? Then *paper and *id, to be freed, are its own; ORR_EUSAGE
 * where several papers have one. 1, 0 or a negative code. */
int orr_cli_claims_find(char **paper, char **id, const char *name);
/* Adds an object of paper, id and `needs`, the command that decides it, for each claim there is. */
int orr_cli_claims_list(json_t *rows);
/* The claim in full: an exit code. */
int orr_cli_describe_claim(const struct orr_result_source *source, const char *paper,
                           const char *id, bool as_json);

#endif
