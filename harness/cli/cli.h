/* One entry per subcommand. Each takes argv from its own name on and returns an exit code
 * (error.h). */
#ifndef ORR_CLI_H
#define ORR_CLI_H

#include <jansson.h>

#include "datasets/dataset.h"

struct orr_command {
    const char *name;
    const char *summary; /* what it does, one line */
    int (*run)(int argc, char **argv);
};

int orr_cli_list(int argc, char **argv);
int orr_cli_describe(int argc, char **argv);
int orr_cli_doctor(int argc, char **argv);
int orr_cli_run(int argc, char **argv);
int orr_cli_reproduce(int argc, char **argv);
int orr_cli_eval(int argc, char **argv);
int orr_cli_render(int argc, char **argv);
int orr_cli_table(int argc, char **argv);
int orr_cli_compare(int argc, char **argv);
int orr_cli_generations(int argc, char **argv);
int orr_cli_audit(int argc, char **argv);
int orr_cli_plot(int argc, char **argv);
int orr_cli_claims(int argc, char **argv);
int orr_cli_query(int argc, char **argv);
int orr_cli_report(int argc, char **argv);
int orr_cli_check(int argc, char **argv);
int orr_cli_dataset(int argc, char **argv);
/* orrery help: of all commands, or of one. */
int orr_cli_help(const struct orr_command *commands, size_t count, int argc, char **argv);
/* orrery --complete WORDS...: `argv` is what stands behind --complete. */
int orr_cli_complete(const struct orr_command *commands, size_t count, int argc, char **argv);
int orr_cli_worker(int argc,
                   char **argv); /* hidden: serves cells over stdin/stdout for the scheduler */

/* "unknown command 'word'; did you mean ...?" on stderr; the exit code. */
int orr_cli_unknown_command(const struct orr_command *commands, size_t count, const char *word);
/* Prints the recorded error as "orrery: <message>" on stderr and returns its exit code. */
int orr_cli_report_error(void);
/* The exit code of 0, ORR_OPTIONS_HELPED or a negative code, whose error it prints. */
int orr_cli_status(int code);
/* The same rows, each with a member `schema`. */
json_t *orr_cli_with_schema(json_t *rows, const char *schema);
struct orr_words;
/* Words that differ from the names of papers, experiments and variants in upper and lower case
 * alone become these names. */
int orr_cli_spell(struct orr_words *words);
/* A data set as one JSON object, for `dataset list`, `list` and `describe`; NULL on no memory.
 * `multiple` is null for one that is made of boxes, `default_level` for every other. */
json_t *orr_cli_dataset_to_json(const struct orr_dataset *set);

/* `orrery list counters`: rows {name, source, group, metric, what} of every source. With a chip
 * those of CUPTI that it has, and `passes` that each group takes alone; ORR_EUSAGE when libcupti
 * knows no such chip. `note`: why what the list lacks is missing, or "". */
int orr_list_counters(json_t *rows, const char *chip, char *note, size_t size);

struct orr_device_probe;
/* orr_device_probe; what is left out is told on stderr. */
int orr_cli_probe_devices(struct orr_device_probe *out, bool host_only);

#endif
