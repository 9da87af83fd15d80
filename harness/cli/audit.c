/* SPDX-License-Identifier: MIT */
/* orrery audit: a paper's formulas beside exact counts, and the model of a change of variant. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/audit.h"
#include "cli/cli.h"
#include "cli/results.h"
#include "error.h"
#include "memory.h"
#include "names.h"
#include "present/layout.h"
#include "present/write.h"

struct request {
    struct orr_result_source source;
    const char *hardware; /* file of counters, or NULL */
    bool situation, json;
};

static bool has_layout(const struct orr_target *target, const char *layout)
{
    return target->experiment->layout && !strcmp(target->experiment->layout, layout);
}

static bool is_audited(const struct orr_target *target)
{
    return has_layout(target, "audit");
}

static int fail_unaudited(const char *what)
{
    struct orr_names names = {0};
    char **keys = NULL, **found = NULL, text[512] = "";
    int code = orr_paper_keys(&keys);
    for (char **key = keys; !code && *key; key++) {
        struct orr_paper *paper;
        if ((code = orr_paper_load(&paper, *key)))
            break;
        for (unsigned k = 0; k < paper->experiments_count; k++)
            if (is_audited(&(struct orr_target){paper, &paper->experiments[k]}))
                orr_names_add(&names, "%s/%s", paper->key, paper->experiments[k].name);
        orr_paper_free(paper);
    }
    orr_names_free(keys);
    code = orr_names_finish(&names, &found, code);
    if (code)
        return code;
    for (char **name = found; *name; name++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? ", " : "", *name);
    orr_names_free(found);
    return orr_fail(ORR_EUSAGE, "%s has no formulas to audit; these have: %s", what,
                    *text ? text : "none");
}

static int write_out(const struct request *request, const struct orr_documents *all)
{
    return (request->json ? &orr_format_json : &orr_format_md)
        ->write(stdout, all->items, all->count);
}

static int read_hardware(struct orr_selection *selection, const struct request *request)
{
    int code = orr_cost_files_hardware(&selection->ledger, request->hardware);
    for (size_t k = 0; k < selection->target_count && !code; k++) {
        char name[128];
        const struct orr_target *target = &selection->targets[k];
        snprintf(name, sizeof name, "%s/%s", target->paper->key, target->experiment->name);
        if (is_audited(target))
            code = orr_cost_files_hardware_check(&selection->ledger, name, request->hardware);
    }
    return code;
}

/* The printed baselines come first. */
static int add_baselines(struct orr_documents *all, struct orr_selection *selection)
{
    int code = 0;
    for (size_t k = 0; k < selection->target_count && !code; k++)
        if (has_layout(&selection->targets[k], "baselines"))
            code = orr_cli_add_documents(all, selection, &selection->targets[k]);
    return code;
}

/* The findings of the whole paper, before any row of counts; only what is audited is left to the
 * selection. */
static int add_findings(struct orr_documents *all, struct orr_selection *selection)
{
    const char *paper = selection->papers[0]->key;
    char title[256];
    size_t audited = 0;
    for (size_t k = 0; k < selection->target_count; k++)
        if (is_audited(&selection->targets[k]))
            selection->targets[audited++] = selection->targets[k];
    selection->target_count = audited;
    if (audited < 2)
        return 0;
    struct orr_document *document = orr_cli_new_document(all);
    snprintf(title, sizeof title, "%s — findings of its audit", paper);
    orr_document_name(document, paper, title);
    return orr_layout_part(document, selection, "findings");
}

static int audit_experiment(const struct request *request, const char *what)
{
    struct orr_selection selection;
    struct orr_documents all = {0};
    int code = orr_cli_select(&selection, &request->source, what);
    if (code)
        return code;
    if ((request->hardware && read_hardware(&selection, request)) ||
        add_baselines(&all, &selection) || add_findings(&all, &selection))
        code = orr_error_code();
    for (size_t k = 0; k < selection.target_count && !code; k++)
        code = orr_cli_add_documents(&all, &selection, &selection.targets[k]);
    if (!code)
        code = all.count ? write_out(request, &all) : fail_unaudited(what);
    orr_cli_release_documents(&all);
    orr_selection_release(&selection);
    return code;
}

static bool counts(const struct orr_target *target, const char *variant)
{
    const struct orr_paper_variant *found = orr_paper_variant(target->paper, variant);
    return target->experiment->counts && found &&
           orr_paper_takes_part(found, target->experiment->name);
}

/* The first experiment that would count both. */
static int fail_uncounted(const struct orr_selection *selection, const char *a, const char *b)
{
    for (size_t k = 0; k < selection->target_count; k++) {
        const struct orr_target *target = &selection->targets[k];
        if (counts(target, a) && counts(target, b))
            return orr_fail(ORR_EUSAGE,
                            "%s and %s were not counted on one machine, device and input; `orrery "
                            "run %s/%s` counts them",
                            a, b, target->paper->key, target->experiment->name);
    }
    return orr_fail(ORR_EUSAGE, "no experiment counts the accesses of both %s and %s", a, b);
}

/* Variants of the selection's paper. */
static int show_situations(const struct request *request, struct orr_selection *selection,
                           const char *a, const char *b)
{
    struct orr_document document = {0};
    const char *paper = selection->papers[0]->key;
    char name[160], title[256];
    snprintf(name, sizeof name, "%s/%s to %s/%s", paper, a, paper, b);
    snprintf(title, sizeof title, "%s — the model of section V", name);
    orr_document_name(&document, name, title);
    bool failed =
        orr_ledger_run(&selection->ledger, "CREATE TABLE situation_asked AS SELECT ? AS a, ? AS b",
                       "ss", a, b) ||
        orr_layout_part(&document, selection, "situations") ||
        (!orr_document_data(&document)->row_count && fail_uncounted(selection, a, b)) ||
        write_out(request, &(struct orr_documents){&document, 1});
    orr_document_release(&document);
    return failed ? orr_error_failed() : 0;
}

static int judge_situation(const struct request *request, const char *a, const char *b)
{
    const char *slash = strchr(a, '/');
    char key[64];
    if (!slash || !strchr(b, '/'))
        return orr_fail(
            ORR_EUSAGE,
            "--situation takes two variants with their paper, as in shan/bpb shan/bpb-n3l");
    snprintf(key, sizeof key, "%.*s", (int)(slash - a), a);
    if (strncmp(a, b, (size_t)(slash - a) + 1) != 0 || !strcmp(a, b))
        return orr_fail(ORR_EUSAGE,
                        "--situation takes two different variants of one paper, not %s and %s", a,
                        b);
    struct orr_selection selection;
    int code = orr_cli_select(&selection, &request->source, key);
    if (code)
        return code;
    b = strchr(b, '/');
    code = orr_paper_variant(selection.papers[0], slash + 1) &&
                   orr_paper_variant(selection.papers[0], b + 1)
               ? show_situations(request, &selection, slash + 1, b + 1)
               : ORR_EUSAGE;
    orr_selection_release(&selection);
    return code;
}

static int audit(const struct request *request, const struct orr_words *what)
{
    if (request->situation && what->count == 2)
        return judge_situation(request, what->items[0], what->items[1]);
    if (!request->situation && what->count == 1)
        return audit_experiment(request, what->items[0]);
    return orr_fail(
        ORR_EUSAGE,
        "audit takes one experiment, as in `orrery audit shan/table1`, or --situation and two"
        " variants");
}

int orr_cli_audit(int argc, char **argv)
{
    struct request request = {.hardware = NULL};
    struct orr_words what = {0};
    const struct orr_option options[] = {
        {"situation", 0, ORR_OPTION_FLAG, &request.situation, NULL,
         "the predicted and the measured effect of going from variant A to B (Shan & Lei 2012, "
         "section V)"},
        {"hardware", 0, ORR_OPTION_TEXT, &request.hardware, "FILE",
         "fill the hardware column from Nsight Compute's CSV, see below"},
        {"json", 0, ORR_OPTION_FLAG, &request.json, NULL, "everything as one JSON object"},
        ORR_RESULT_OPTIONS(request.source),
    };
    const struct orr_options all = {
        "audit EXPERIMENT|PAPER [options]\n       orrery audit --situation A B [options]",
        "Compares the printed CPU times with the peak of one core, a paper's cost formulas with\n"
        "exact counts and hardware counters, and names printed entries that do not follow.\n\n"
        "--hardware reads the output of\n"
        "  ncu --csv --print-units base --metrics smsp__sass_data_bytes_mem_global_op_ld.sum,\\\n"
        "smsp__sass_data_bytes_mem_global_op_st.sum,smsp__sass_data_bytes_mem_shared_op_ld.sum,\\\n"
        "smsp__sass_data_bytes_mem_shared_op_st.sum orrery run ... > FILE\n"
        "also with --page raw. Bytes / 4 are words, per kernel and in the rows `total`, with those "
        "of indices and\n"
        "lists. The results must hold one CUDA cell of each kernel (-r names its run). Of several "
        "launches of a\n"
        "kernel the one with the fewest bytes counts. The card counts what a warp reads at one "
        "address of shared\n"
        "memory once, a body's fourth, empty word with the other three, and no atomic updates of "
        "global memory.",
        ORR_OPTION_TABLE(options), .spells = true};
    int code = orr_options_parse(&all, argc, argv, &what);
    return orr_cli_status(code ? code : audit(&request, &what));
}
