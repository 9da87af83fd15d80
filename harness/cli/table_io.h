/* Input and output that table, plot, report, claims and audit share. */
#ifndef ORR_CLI_TABLE_IO_H
#define ORR_CLI_TABLE_IO_H

#include "cli/options.h"
#include "present/plot.h"
#include "present/selection.h"

/* Where the results come from; ORR_RESULT_OPTIONS(source) are its options. */
struct orr_result_source {
    struct orr_words from, machines;
    bool several; /* the command takes results of several machines side by side */
    bool alone;   /* it shows cells of an experiment and nothing that others say of them */
    bool reference;
    double timeout_s; /* 0: not given */
};

/* clang-format off */
#define ORR_RESULT_OPTIONS(source)                                                                 \
    {"results", 'r', ORR_OPTION_LIST, &(source).from, "DIR|FILE|MACHINE",                          \
     "journals to read, repeatable; default: results/"},                                           \
    {"machine", 'm', ORR_OPTION_LIST, &(source).machines, "NAME",                                  \
     "only this machine's results; `table` and `generations`: repeatable"},                        \
    {"reference", 0, ORR_OPTION_FLAG, &(source).reference, NULL,                                   \
     "the reference results that come with Orrery too"},                                           \
    {"timeout", 0, ORR_OPTION_SECONDS, &(source).timeout_s, "S",                                   \
     "seconds that SQL may take; default: 60 for a table or a paper's claims, no end for a query"}
/* clang-format on */

void orr_cli_release_source(struct orr_result_source *source);
/* orr_selection_make for the source; warns on stderr about damaged lines and missing journals. */
int orr_cli_select(struct orr_selection *out, const struct orr_result_source *source,
                   const char *what);
/* Says on stderr how many cells with tuned settings (`run --tuned`) no table and no figure shows.
 */
void orr_cli_say_tuned(const struct orr_selection *selection);
/* `--quantity`: what of the cells is shown. `out` is NULL for the time, which is what an experiment
 * is about, else the name of a layout. ORR_EUSAGE for another word. */
int orr_cli_quantity(const char **out, const char *name);
#define ORR_QUANTITY_OPTION(name)                                         \
    {                                                                     \
        "quantity", 'q', ORR_OPTION_TEXT, &(name), "time|energy",         \
            "what of the cells; default time, the experiment's own table" \
    }
/* Only the warning about damaged lines. */
void orr_cli_warn_damaged(const struct orr_journal_damage *damage);

struct orr_document;
struct orr_documents {
    struct orr_document *items;
    size_t count;
};
/* One more, empty. */
struct orr_document *orr_cli_new_document(struct orr_documents *all);
/* Appends the tables of a target of the selection, one a machine. Release them whatever is
 * returned. */
int orr_cli_add_documents(struct orr_documents *all, const struct orr_selection *selection,
                          const struct orr_target *target);
void orr_cli_release_documents(struct orr_documents *all);
struct orr_format;
/* Writes the file `path` whole or not at all; NULL is standard output. */
int orr_cli_write_documents(const struct orr_documents *all, const struct orr_format *format,
                            const char *path);

/* --- what is shown of a whole paper or of some of its experiments, on all devices at once: `orrery
 * plot|table roofline ...`, `orrery plot|table generations ...` --- */

struct orr_overview {
    const char *name, *about; /* what a --quantity would have to know */
    bool several;             /* machines may be named */
    const struct orr_layout_overview *layout;
};
/* The one that the first word names, with the words behind it; NULL where there is none. */
const struct orr_overview *orr_overview_find(struct orr_words *behind,
                                             const struct orr_words *words);
/* ORR_EUSAGE: it knows no --quantity. */
int orr_overview_no_quantity(const struct orr_overview *overview);
/* The papers and experiments `what`, or every paper without any. */
int orr_overview_plot(const struct orr_overview *overview, const struct orr_result_source *source,
                      const struct orr_words *what, const char *path);
int orr_overview_table(const struct orr_overview *overview, const struct orr_result_source *source,
                       const struct orr_words *what, const struct orr_format *format,
                       const char *path);

#endif
