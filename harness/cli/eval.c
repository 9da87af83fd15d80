/* SPDX-License-Identifier: MIT */
/* orrery eval: accelerations of a user's own bodies by a variant, verified. */
#include <math.h>

#include "cli/cli.h"
#include "cli/worker_session.h"
#include "datasets/formats/format.h"
#include "datasets/formats/output.h"
#include "format_value.h"
#include "paths.h"
#include "sandbox.h"
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

static void print_stages(FILE *to, json_t *stages)
{
    char seconds[32];
    size_t k;
    json_t *stage;
    json_array_foreach (stages, k, stage)
        fprintf(to, "%s%s %s", k ? ", " : "before that on the host: ", orr_json_text(stage, "name"),
                orr_format_seconds(seconds, sizeof seconds, orr_json_number(stage, "seconds")));
    if (json_array_size(stages))
        putc('\n', to);
}

/* Tree codes are judged by errors relative to the sum of the terms' lengths. */
static void print_terms(FILE *to, json_t *error)
{
    json_t *bound = json_object_get(error, "bound"), *terms = json_object_get(error, "by_terms");
    static const char *const names[][2] = {
        {"median", "median"}, {"p99", "99 % below"}, {"max", "largest"}};
    if (!json_is_true(json_object_get(bound, "by_terms")))
        return;
    for (int k = 0; k < 3; k++)
        fprintf(to, "%s%s %.1e of at most %.1e",
                k ? ", " : "by terms, as tree codes are judged: ", names[k][1],
                orr_json_number(terms, names[k][0]), orr_json_number(bound, names[k][0]));
    putc('\n', to);
}

/* The largest error of a potential is 0 where there is none; only some variants round the bodies
 * first. */
static void print_errors(FILE *to, json_t *answer)
{
    json_t *error = json_object_get(answer, "error"),
           *rounding = json_object_get(answer, "rounding");
    const double potential = orr_json_number(error, "phi_max");
    fputs("relative error against fp64 over ", to);
    orr_cli_print_error(to, error, " bodies");
    if (potential > 0)
        fprintf(to, ", potential %.1e", potential);
    putc('\n', to);
    print_terms(to, error);
    if (orr_json_integer(rounding, "targets") > 0) {
        fputs("rounding the bodies to single precision costs, over ", to);
        orr_cli_print_error(to, rounding, " of them");
        putc('\n', to);
    }
}

static void print_summary(const struct eval *e, json_t *answer)
{
    char seconds[32];
    FILE *to = e->to_stdout ? stderr : stdout;
    size_t k;
    json_t *note;
    if (e->json) {
        orr_cli_print_line(to, answer);
        return;
    }
    fprintf(to, "%s: %lld bodies in %d dimensions on %s (%s), %s a step\n", e->variant.items[0],
            (long long)orr_json_integer(answer, "n"), (int)orr_json_integer(answer, "dimensions"),
            orr_json_text(answer, "device"), orr_json_text(answer, "device_name"),
            orr_format_seconds(seconds, sizeof seconds, orr_json_number(answer, "seconds")));
    /* the sum with its units, and notes on what was not asked for but matters */
    fprintf(to, "%s\n", orr_json_text(answer, "sum"));
    json_array_foreach (json_object_get(answer, "notes"), k, note)
        fprintf(to, "%s\n", json_string_value(note));
    print_stages(to, json_object_get(answer, "stages"));
    print_errors(to, answer);
    if (!e->to_stdout)
        printf("written: %s\n", e->output);
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
    json_t *request;
    json_auto_t *answer = NULL;
    int code =
        orr_worker_session_request(&request, "eval", e->variant.items[0], e->device, &e->set);
    if (code)
        return code;
    json_object_set_new(request, "input", orr_json_path(e->input));
    json_object_set_new(request, "output", orr_json_path(e->output));
    if (!isnan(e->gravity))
        json_object_set_new(request, "gravity", json_real(e->gravity));
    else if (e->units)
        json_object_set_new(request, "gravity", json_string(e->units));
    if (e->bound)
        json_object_set_new(request, "bound", orr_json_reals(e->bounds, e->bound_count));
    json_object_set_new(request, "once", json_boolean(e->once));
    say_waiting(e, true);
    code = orr_worker_session_ask(&answer, &session, request, e->device, e->timeout_s, NULL, NULL);
    say_waiting(e, false);
    if (code)
        return code;
    print_summary(e, answer);
    return e->to_stdout ? orr_cli_pipe_send(e->output) : 0;
}

int orr_cli_eval(int argc, char **argv)
{
    struct eval e = {.timeout_s = 3600, .gravity = NAN};
    int code = parse_options(&e, argc, argv);
    if (!code)
        code = evaluate(&e);
    orr_paths_remove_temporary(e.folder);
    return orr_cli_status(code);
}
