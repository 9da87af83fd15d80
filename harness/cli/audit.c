/* SPDX-License-Identifier: MIT */
/* orrery audit: a paper's formulas beside exact counts, and the model of a change of variant. */
#include "cli/cli.h"
#include "present/layout.h"

struct request {
    struct orr_result_source source;
    bool situation, json;
    const struct orr_format *format; /* by `json` */
};

static bool has_layout(const struct orr_target *target, const char *layout)
{
    return target->experiment->layout && !strcmp(target->experiment->layout, layout);
}

static int fail_unaudited(const char *what)
{
    __attribute__((cleanup(orr_ledger_close))) struct orr_ledger ledger;
    sqlite3_stmt *row = NULL;
    char names[512] = "none";
    int code = orr_cli_papers(&ledger, false);
    if (!code)
        code = orr_ledger_query(&row, &ledger,
                                "SELECT group_concat(experiment, ', ') FROM (SELECT experiment"
                                " FROM experiment WHERE layout = 'audit' ORDER BY experiment)"
                                " HAVING count(*)",
                                "");
    while (orr_ledger_row(&code, row, &ledger))
        snprintf(names, sizeof names, "%s", orr_ledger_text(row, 0));
    return code ? code
                : orr_fail(ORR_EUSAGE, "%s has no formulas to audit; these have: %s", what, names);
}

/* The findings of the whole paper, before any row of counts; only what is audited is left to the
 * selection. */
static int add_findings(struct orr_documents *all, struct orr_selection *selection)
{
    const char *paper = selection->papers[0]->key;
    char title[256];
    size_t audited = 0;
    for (size_t k = 0; k < selection->target_count; k++)
        if (has_layout(&selection->targets[k], "audit"))
            selection->targets[audited++] = selection->targets[k];
    selection->target_count = audited;
    if (audited < 2)
        return 0;
    struct orr_document *document = orr_cli_new_document(all);
    snprintf(title, sizeof title, "%s — findings of its audit", paper);
    orr_document_name(document, paper, title);
    return orr_layout_part(document, selection, "findings");
}

/* The printed baselines come first. */
static int audit_experiment(const struct request *request, const char *what)
{
    __attribute__((cleanup(orr_selection_release))) struct orr_selection selection = {0};
    __attribute__((cleanup(orr_cli_release_documents))) struct orr_documents all = {0};
    int code = orr_cli_select(&selection, &request->source, what);
    for (size_t k = 0; !code && k < selection.target_count; k++)
        if (has_layout(&selection.targets[k], "baselines"))
            code = orr_cli_add_documents(&all, &selection, &selection.targets[k]);
    if (!code)
        code = add_findings(&all, &selection);
    for (size_t k = 0; !code && k < selection.target_count; k++)
        code = orr_cli_add_documents(&all, &selection, &selection.targets[k]);
    return code        ? code
           : all.count ? orr_cli_write_documents(&all, request->format, NULL)
                       : fail_unaudited(what);
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
    __attribute__((cleanup(orr_cli_release_documents))) struct orr_documents all = {0};
    struct orr_document *document = orr_cli_new_document(&all);
    const char *paper = selection->papers[0]->key;
    char name[160], title[256];
    snprintf(name, sizeof name, "%s/%s to %s/%s", paper, a, paper, b);
    snprintf(title, sizeof title, "%s — the model of section V", name);
    orr_document_name(document, name, title);
    if (orr_ledger_run(&selection->ledger, "CREATE TABLE situation_asked AS SELECT ? AS a, ? AS b",
                       "ss", a, b) ||
        orr_layout_part(document, selection, "situations"))
        return orr_error_failed();
    return document->data->row_count ? orr_cli_write_documents(&all, request->format, NULL)
                                     : fail_uncounted(selection, a, b);
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
    __attribute__((cleanup(orr_selection_release))) struct orr_selection selection = {0};
    a = slash + 1, b = strchr(b, '/') + 1;
    return orr_cli_select(&selection, &request->source, key) ||
                   !orr_paper_variant(selection.papers[0], a) ||
                   !orr_paper_variant(selection.papers[0], b)
               ? orr_error_failed()
               : show_situations(request, &selection, a, b);
}

int orr_cli_audit(int argc, char **argv)
{
    struct request request = {0};
    struct orr_words what = {0};
    const struct orr_option options[] = {{"situation", &request.situation},
                                         {"json", &request.json},
                                         ORR_RESULT_OPTIONS(request.source)};
    int code = orr_options_parse("audit", ORR_OPTIONS(options), argc, argv, &what);
    request.format = request.json ? &orr_format_json : &orr_format_md;
    if (!code && what.count != 1 + request.situation)
        code = orr_fail(ORR_EUSAGE, "audit takes one experiment, as in `orrery audit shan/table1`, "
                                    "or --situation and two variants");
    else if (!code)
        code = request.situation ? judge_situation(&request, what.items[0], what.items[1])
                                 : audit_experiment(&request, what.items[0]);
    return code;
}
