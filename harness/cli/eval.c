/* SPDX-License-Identifier: MIT */
/* orrery eval: accelerations of a user's own bodies by a variant, verified. */
#include <math.h>

#include "cli/cli.h"
#include "datasets/formats/format.h"
#include "datasets/formats/output.h"
#include "paths.h"
#include "sandbox.h"
#include "sql/cli/eval.h"
#include "terminal.h"

struct eval {
    struct orr_words variant, set;
    const char *input, *output, *device, *bound;
    double bounds[3];
    int bound_count;
    const char *units;
    double timeout_s, gravity;
    bool json, sandbox, once, to_stdout;
    char folder[128]; /* of what is piped */
};

/* Gadget's usual units: kpc, 1e10 solar masses, km/s. */
static const double G_GADGET = 43007.1;

/* "1e-3" or "1e-3,1e-2,0.1", each at least as large as the one before. */
static int parse_bound(struct eval *e)
{
    char text[128], *rest = text, *word;
    bool good = true;
    snprintf(text, sizeof text, "%s", e->bound ? e->bound : "");
    while (good && e->bound && (word = strsep(&rest, ","))) {
        double value;
        good = e->bound_count < 3 && orr_text_number(word, &value) && value > 0 &&
               (!e->bound_count || value >= e->bounds[e->bound_count - 1]);
        if (good)
            e->bounds[e->bound_count++] = value;
    }
    return good && e->bound_count != 2
               ? 0
               : orr_fail(ORR_EUSAGE,
                          "--bound takes MEDIAN or MEDIAN,P99,MAX, above 0 and rising, not '%s'",
                          e->bound);
}

static int check_gravity(struct eval *e)
{
    if (!isnan(e->gravity) && e->units)
        return orr_fail(ORR_EUSAGE, "--G and --units both say what G is; give one of them");
    if (!isnan(e->gravity) && !(e->gravity > 0))
        return orr_fail(ORR_EUSAGE, "--G takes a number above 0, not %g", e->gravity);
    if (e->units && strcmp(e->units, "gadget") && strcmp(e->units, "file"))
        return orr_fail(ORR_EUSAGE, "--units takes gadget or file, not '%s'", e->units);
    if (e->units && !strcmp(e->units, "gadget"))
        e->gravity = G_GADGET;
    return 0;
}

static int parse_options(struct eval *e, int argc, char **argv)
{
    const struct orr_option options[] = {
        {"input", &e->input},     {"output", &e->output},     {"device", &e->device},
        {"set", &e->set},         {"G", &e->gravity},         {"units", &e->units},
        {"bound", &e->bound},     {"timeout", &e->timeout_s}, {"once", &e->once},
        {"sandbox", &e->sandbox}, {"json", &e->json}};
    int code = orr_options_parse("eval", ORR_OPTIONS(options), argc, argv, &e->variant);
    if (code)
        return code;
    if (e->variant.count != 1 || !e->input || !e->output)
        return orr_fail(
            ORR_EUSAGE,
            "eval needs one variant, --input SNAPSHOT and --output ACC; --help explains");
    if (e->sandbox)
        orr_sandbox_ask();
    e->to_stdout = !strcmp(e->output, "-");
    if (parse_bound(e) || check_gravity(e) ||
        orr_cli_pipe_output(e->folder, &e->output, "accelerations.csv") ||
        orr_cli_pipe_input(e->folder, &e->input))
        return orr_error_failed();
    if (orr_output_is_same(e->input, e->output))
        return orr_fail(ORR_EUSAGE, "--output %s is the snapshot itself; give another file",
                        e->output);
    /* before anything is computed: can the results be written at all? */
    return orr_forces_check_path(e->output) || orr_output_try(e->output) ? orr_error_failed() : 0;
}

/* On stderr where the accelerations go to standard output. */
static int print_summary(const struct eval *e, json_t *answer)
{
    __attribute__((cleanup(orr_ledger_close))) struct orr_ledger ledger = {0};
    FILE *out = stdout;
    if (e->json) {
        orr_cli_print_line(e->to_stdout ? stderr : stdout, answer);
        return 0;
    }
    json_object_set_new(answer, "variant", json_string(e->variant.items[0]));
    if (e->to_stdout)
        stdout = stderr;
    else
        json_object_set_new(answer, "output", orr_json_shown(e->output));
    const bool failed = orr_ledger_open(&ledger) || orr_column_format_offer(&ledger) ||
                        orr_cli_print_lines(&ledger, sql_cli_eval, answer);
    stdout = out;
    return failed ? orr_error_failed() : 0;
}

/* A device's compiler takes up to a minute where kernels are not in the cache. */
static void say_waiting(const struct eval *e, bool begins)
{
    char line[200];
    if (!orr_terminal_moves(stderr))
        return;
    snprintf(line, sizeof line, "%s … kernels are compiled at their first use",
             e->variant.items[0]);
    fputs(begins ? orr_terminal_cut(line, orr_terminal_columns(stderr) - 1) : "\r\033[K", stderr);
    fflush(stderr);
}

static int evaluate(struct eval *e)
{
    struct orr_worker_session session;
    json_auto_t *answer = NULL,
                *members =
                    json_pack("{s:o, s:o, s:b, s:o*, s:o*}", "input", orr_json_path(e->input),
                              "output", orr_json_path(e->output), "once", e->once, "gravity",
                              isnan(e->gravity) ? json_string(e->units) : json_real(e->gravity),
                              "bound", e->bound ? orr_json_reals(e->bounds, e->bound_count) : NULL);
    const struct orr_worker_question question = {.ask = "eval",
                                                 .variant = e->variant.items[0],
                                                 .device = e->device,
                                                 .set = &e->set,
                                                 .members = members,
                                                 .timeout_s = e->timeout_s};
    say_waiting(e, true);
    int code = orr_worker_session_ask(&answer, &session, &question);
    say_waiting(e, false);
    if (!code)
        code = print_summary(e, answer);
    return code || !e->to_stdout ? code : orr_cli_pipe_send(e->output);
}

int orr_cli_eval(int argc, char **argv)
{
    struct eval e = {.timeout_s = 3600, .gravity = NAN};
    int code = parse_options(&e, argc, argv);
    if (!code)
        code = evaluate(&e);
    orr_paths_remove_temporary(e.folder);
    return code;
}
