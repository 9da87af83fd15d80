#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/worker_session.h"
#include "cli/options.h"
#include "datasets/formats/format.h"
#include "datasets/formats/output.h"
#include "error.h"
#include "format_value.h"
#include "json_member.h"
#include "sandbox.h"
#include "text.h"

struct eval {
    struct orr_words variant, set;
    const char *input, *output, *device, *bound;
    double bounds[3];
    int bound_count;
    double timeout_s;
    bool json, sandbox;
    struct orr_worker_session session;
};

static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return !stat(a, &first) && !stat(b, &second) && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* Before anything is computed: can the results be written at all? */
static int check_output(const struct eval *e)
{
    if (is_same_file(e->input, e->output))
        return orr_fail(ORR_EUSAGE, "--output %s is the snapshot itself; give another file",
                        e->output);
    int code = orr_forces_check_path(e->output);
    return code ? code : orr_output_try(e->output);
}

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

static int parse(struct eval *e, int argc, char **argv)
{
    const struct orr_option table[] = {
        {"input", 'i', ORR_OPTION_TEXT, &e->input, "SNAPSHOT", "bodies: Gadget HDF5, Tipsy or CSV"},
        {"output", 'o', ORR_OPTION_TEXT, &e->output, "ACC",
         "accelerations: .csv or .hdf5, a row a body in input order"},
        {"device", 0, ORR_OPTION_TEXT, &e->device, "D",
         "cuda:0, opencl:0.0, host; default: the best that fits"},
        {"set", 0, ORR_OPTION_SETTINGS, &e->set, "NAME=VALUE",
         "a parameter of the variant; repeatable"},
        {"bound", 0, ORR_OPTION_TEXT, &e->bound, "M[,P99,MAX]",
         "largest errors that are right, of tree codes by terms; default: the paper's"},
        {"timeout", 0, ORR_OPTION_SECONDS, &e->timeout_s, "S",
         "give up after so many seconds (3600)"},
        ORR_OPTION_SANDBOX(&e->sandbox),
        {"json", 0, ORR_OPTION_FLAG, &e->json, NULL, "the summary as one JSON object"},
    };
    const struct orr_options options = {
        "eval VARIANT --input SNAPSHOT --output ACC [options]",
        "Accelerations of your own bodies, and the potential where the variant has one; "
        "verified in double precision.",
        table, sizeof table / sizeof *table};
    e->timeout_s = 3600;
    int code = orr_options_parse(&options, argc, argv, &e->variant);
    if (!code)
        code = orr_cli_spell(&e->variant);
    if (code)
        return code;
    if (e->variant.count != 1 || !e->input || !e->output)
        return orr_fail(
            ORR_EUSAGE,
            "eval needs one variant, --input SNAPSHOT and --output ACC; --help explains");
    if (e->sandbox)
        orr_sandbox_ask();
    code = parse_bound(e);
    return code ? code : check_output(e);
}

static void print_stages(json_t *stages)
{
    char seconds[32];
    size_t k;
    json_t *stage;
    json_array_foreach(stages, k, stage)
    {
        printf("%s%s %s", k ? ", " : "before that on the host: ", orr_json_text(stage, "name"),
               orr_format_seconds(seconds, sizeof seconds, orr_json_number(stage, "seconds")));
    }
    if (json_array_size(stages))
        putchar('\n');
}

/* By terms, as tree codes are judged. */
static void print_terms(json_t *error)
{
    json_t *bound = json_object_get(error, "bound"), *terms = json_object_get(error, "by_terms");
    static const char *const names[][2] = {
        {"median", "median"}, {"p99", "99 % below"}, {"max", "largest"}};
    if (!json_is_true(json_object_get(bound, "by_terms")))
        return;
    for (int k = 0; k < 3; k++)
        printf("%s%s %.1e of at most %.1e",
               k ? ", " : "by terms, as tree codes are judged: ", names[k][1],
               orr_json_number(terms, names[k][0]), orr_json_number(bound, names[k][0]));
    putchar('\n');
}

/* The largest error of a potential is 0 where there is none. */
static void print_error(json_t *error)
{
    double potential = orr_json_number(error, "phi_max");
    printf(
        "relative error against fp64 over %lld bodies: median %.1e, 99 %% below %.1e, largest %.1e",
        (long long)orr_json_integer(error, "targets"), orr_json_number(error, "median"),
        orr_json_number(error, "p99"), orr_json_number(error, "max"));
    if (potential > 0)
        printf(", potential %.1e", potential);
    putchar('\n');
    print_terms(error);
}

static void print_summary(const struct eval *e, json_t *answer)
{
    char seconds[32];
    if (e->json) {
        json_dumpf(answer, stdout, JSON_COMPACT);
        putchar('\n');
        return;
    }
    printf("%s: %lld bodies in %d dimensions on %s (%s), %s a step\n", e->variant.items[0],
           (long long)orr_json_integer(answer, "n"), (int)orr_json_integer(answer, "dimensions"),
           orr_json_text(answer, "device"), orr_json_text(answer, "device_name"),
           orr_format_seconds(seconds, sizeof seconds, orr_json_number(answer, "seconds")));
    print_stages(json_object_get(answer, "stages"));
    print_error(json_object_get(answer, "error"));
    printf("written: %s\n", e->output);
}

static json_t *bounds_to_json(const struct eval *e)
{
    json_t *list = json_array();
    for (int k = 0; k < e->bound_count; k++)
        json_array_append_new(list, json_real(e->bounds[k]));
    return list;
}

static int evaluate(struct eval *e, enum orr_heard *heard)
{
    json_t *request, *answer;
    int code =
        orr_worker_session_request(&request, "eval", e->variant.items[0], e->device, &e->set);
    if (!code)
        code = orr_worker_session_begin(&e->session, &e->device, e->device != NULL);
    if (code) {
        json_decref(request);
        return code;
    }
    json_object_set_new(request, "input", json_string(e->input));
    json_object_set_new(request, "output", json_string(e->output));
    if (e->bound)
        json_object_set_new(request, "bound", bounds_to_json(e));
    *heard = orr_child_ask(&e->session.child, request, e->timeout_s, e->session.signals, NULL, NULL,
                           &answer);
    code = orr_worker_session_answer(&e->session, *heard, answer, e->timeout_s);
    if (!code && *heard == ORR_HEARD_MESSAGE)
        print_summary(e, answer);
    json_decref(answer);
    return code;
}

int orr_cli_eval(int argc, char **argv)
{
    struct eval e = {.session = ORR_WORKER_SESSION_INIT};
    enum orr_heard heard = ORR_HEARD_MESSAGE;
    int code = parse(&e, argc, argv);
    int status = ORR_EXIT_OK;
    if (!code)
        code = evaluate(&e, &heard);
    if (code < 0)
        status = orr_cli_report_error();
    else if (heard == ORR_HEARD_SIGNAL)
        status = ORR_EXIT_INTERRUPTED;
    orr_worker_session_release(&e.session, heard != ORR_HEARD_MESSAGE);
    orr_options_release_words(&e.variant);
    orr_options_release_words(&e.set);
    return status;
}
