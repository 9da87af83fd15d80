/* orrery reproduce: runs what an experiment or a claim needs, shows the tables and judges, in one
 * go. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claims/claims.h"
#include "cli/cli.h"
#include "cli/table_io.h"
#include "error.h"
#include "json_member.h"
#include "names.h"
#include "plan/paper.h"

enum { MOST_WORDS = 64 };

struct reproduction {
    struct orr_words what, devices;
    const char *preset, *root;
    struct orr_names experiments;
    json_t *claims; /* rows of paper and id */
};

/* The experiments of a command `orrery run A B --preset paper`, as claims name it. */
static void add_needed(struct reproduction *r, const char *needs)
{
    static const char run[] = "orrery run ";
    const char *at = needs ? strstr(needs, run) : NULL;
    for (at = at ? at + sizeof run - 1 : ""; *at && *at != '-';) {
        char name[128];
        size_t length = strcspn(at, " ;,`");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (!orr_names_has(r->experiments.items, name))
            orr_names_add(&r->experiments, "%s", name);
        at += length;
        if (*at != ' ')
            break;
        at += strspn(at, " ");
    }
}

/* A command names experiments, or the whole paper. */
static bool is_of(const struct reproduction *r, const char *needs)
{
    struct reproduction own = {0};
    bool found = false;
    add_needed(&own, needs);
    for (size_t k = 0; k < own.experiments.count; k++)
        for (size_t e = 0; e < r->experiments.count; e++) {
            const char *name = own.experiments.items[k], *asked = r->experiments.items[e];
            found |= !strcmp(name, asked) ||
                     (!strchr(asked, '/') && !strncmp(name, asked, strcspn(name, "/")));
        }
    orr_names_free(own.experiments.items);
    return found;
}

/* The claims that the experiments decide, or one claim and the experiments that decide it. */
static int choose(struct reproduction *r, const char *what)
{
    char *paper = NULL, *id = NULL;
    size_t k;
    json_t *rows = json_array(), *row;
    int code = orr_cli_claims_find(&paper, &id, what), found = code > 0;
    if (!code)
        orr_names_add(&r->experiments, "%s", what);
    if (code >= 0)
        code = orr_cli_claims_list(rows);
    json_array_foreach (rows, k, row) {
        const char *needs = orr_json_text(row, "needs");
        bool same = found && !strcmp(orr_json_text(row, "paper"), paper) &&
                    !strcmp(orr_json_text(row, "id"), id);
        if (!code && same)
            add_needed(r, needs);
        if (same || (!found && is_of(r, needs)))
            json_array_append(r->claims, row);
    }
    if (!code && !r->experiments.count)
        code = orr_fail(ORR_EUSAGE, "claim %s names no experiment that decides it", what);
    json_decref(rows);
    free(paper);
    free(id);
    return code;
}

/* As if these words had been typed. */
static int call(int (*command)(int, char **), const char *const *words, int count)
{
    char *argv[MOST_WORDS];
    for (int k = 0; k < count; k++)
        argv[k] = (char *)words[k];
    argv[count] = NULL;
    return command(count, argv);
}

static int measure(const struct reproduction *r)
{
    const char *words[MOST_WORDS] = {"run"};
    int count = 1;
    for (size_t k = 0; k < r->experiments.count && count < MOST_WORDS / 2; k++)
        words[count++] = r->experiments.items[k];
    for (int k = 0; k < r->devices.count && count < MOST_WORDS - 8; k++) {
        words[count++] = "--device";
        words[count++] = r->devices.items[k];
    }
    const char *const rest[] = {"--preset", r->preset, "--continue", "-o", r->root};
    for (size_t k = 0; k < sizeof rest / sizeof *rest; k++)
        words[count++] = rest[k];
    return call(orr_cli_run, words, count);
}

/* What failed is shown as such; only what leaves nothing to show ends it. */
static int show(const struct reproduction *r)
{
    int status = ORR_EXIT_OK;
    size_t k;
    json_t *row;
    for (size_t e = 0; e < r->experiments.count && !status; e++) {
        const char *const words[] = {"table", r->experiments.items[e], "-r", r->root};
        puts("");
        status = call(orr_cli_table, words, 4);
    }
    json_array_foreach (r->claims, k, row) {
        char name[128];
        snprintf(name, sizeof name, "%s/%s", orr_json_text(row, "paper"), orr_json_text(row, "id"));
        const char *const words[] = {"describe", name, "-r", r->root};
        puts("");
        if (!status)
            status = call(orr_cli_describe, words, 4);
    }
    return status;
}

static int reproduce(struct reproduction *r)
{
    int code = choose(r, r->what.items[0]);
    if (code)
        return orr_cli_report_error();
    int measured = measure(r);
    if (measured && measured != ORR_EXIT_WRONG && measured != ORR_EXIT_SOME_FAILED)
        return measured;
    int shown = show(r);
    return shown ? shown : measured;
}

int orr_cli_reproduce(int argc, char **argv)
{
    struct reproduction r = {.preset = "quick", .root = "results", .claims = json_array()};
    const struct orr_option table[] = {
        {"device", 0, ORR_OPTION_LIST, &r.devices, "D",
         "cuda:0, opencl:0.0, host; repeatable; default: the best"},
        {"preset", 0, ORR_OPTION_TEXT, &r.preset, "smoke|quick|paper|beyond",
         "default quick; paper has the published sizes"},
        {"output", 'o', ORR_OPTION_TEXT, &r.root, "DIR", "results folder (results)"},
    };
    const struct orr_options options = {
        "reproduce EXPERIMENT|PAPER|CLAIM [options]",
        "Runs an experiment, or those that decide a claim, continuing an earlier run; then shows\n"
        "the tables and judges the claims.",
        ORR_OPTION_TABLE(table),
        .spells = true,
        .least = 1,
        .most = 1,
        .wanted = "reproduce takes one experiment, paper or claim, as in "
                  "`orrery reproduce fujiwara/table2`"};
    int code = orr_options_parse(&options, argc, argv, &r.what);
    int status = code ? orr_cli_status(code) : reproduce(&r);
    orr_names_free(r.experiments.items);
    json_decref(r.claims);
    return status;
}
