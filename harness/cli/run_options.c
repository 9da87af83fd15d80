/* The options of `orrery run`. */
#include "cli/run_parts.h"

#include <string.h>

#include "error.h"
#include "names.h"
#include "plan/paper.h"

static int need_what(void)
{
    char **papers, list[256] = "";
    if (orr_paper_keys(&papers))
        return orr_error_code();
    for (char **paper = papers; *paper; paper++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", *paper);
    }
    orr_names_free(papers);
    return orr_fail(
        ORR_EUSAGE,
        "run what? Name papers (%s), experiments (paper/table2) or variants (paper/variant); "
        "`orrery list` shows them",
        *list ? list : "none found");
}

static int check(const struct orr_run_options *o)
{
    bool resumes = o->resume || (o->failed && !o->what.count);
    if (!resumes && !o->what.count)
        return need_what();
    if (resumes && (o->what.count || o->devices.count || o->set.count || o->only.count ||
                    o->exclude.count || o->preset || o->seed || o->go_on))
        return orr_fail(
            ORR_EUSAGE,
            "--resume takes everything from the run that it goes on with; only --failed, --json, "
            "--dry-run, --timeout, --machine and -o go with it");
    if (o->failed && !resumes && !o->go_on)
        return orr_fail(ORR_EUSAGE,
                        "--failed goes with --resume or --continue, or alone for the last run");
    if (o->timeout_s < 0)
        return orr_fail(ORR_EUSAGE, "--timeout takes seconds above 0, not %g", o->timeout_s);
    if (o->seed < 0 || o->seed > 9e15 || o->seed != (double)(uint64_t)o->seed)
        return orr_fail(ORR_EUSAGE, "--seed takes a whole number from 1 up, not %g", o->seed);
    return 0;
}

int orr_run_parse(struct orr_run_options *o, int argc, char **argv)
{
    const struct orr_option table[] = {
        {"device", 0, ORR_OPTION_LIST, &o->devices, "D",
         "cuda:0, opencl:0.0, host; repeatable; default: the best"},
        {"preset", 0, ORR_OPTION_TEXT, &o->preset, "P", "smoke, quick (default), paper, beyond"},
        {"set", 0, ORR_OPTION_REPEAT, &o->set, "AXIS=VALUES",
         "a,b or lo:hi:*2 or lo:hi:+5; repeatable"},
        {"only", 0, ORR_OPTION_REPEAT, &o->only, "GLOB", "only the cells that match; repeatable"},
        {"exclude", 0, ORR_OPTION_REPEAT, &o->exclude, "GLOB",
         "not the cells that match; repeatable"},
        {"timeout", 0, ORR_OPTION_NUMBER, &o->timeout_s, "S", "seconds that one cell may take"},
        {"seed", 0, ORR_OPTION_NUMBER, &o->seed, "N",
         "order of the cells and choice of verified bodies"},
        {"resume", 0, ORR_OPTION_TEXT, &o->resume, "RUN",
         "go on with a run: its name, its path, or last"},
        {"continue", 0, ORR_OPTION_FLAG, &o->go_on, NULL,
         "go on with the last run of this very request, if any"},
        {"failed", 0, ORR_OPTION_FLAG, &o->failed, NULL, "also run again what did not end ok"},
        {"dry-run", 0, ORR_OPTION_FLAG, &o->dry_run, NULL,
         "show the cells and an estimate, run nothing"},
        {"json", 0, ORR_OPTION_FLAG, &o->json, NULL, "one JSON object a cell on stdout"},
        {"output", 'o', ORR_OPTION_TEXT, &o->root, "DIR", "results folder (results)"},
        {"machine", 0, ORR_OPTION_TEXT, &o->machine, "NAME",
         "name of this machine instead of its hardware's"},
    };
    const struct orr_options options = {
        "run WHAT... [options]",
        "Measures and verifies WHAT (papers, experiments, variants); writes a journal.", table,
        sizeof table / sizeof *table};
    o->root = "results";
    int code = orr_options_parse(&options, argc, argv, &o->what);
    return code ? code : check(o);
}

void orr_run_options_release(struct orr_run_options *options)
{
    struct orr_words *words[] = {&options->what, &options->devices, &options->set, &options->only,
                                 &options->exclude};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        orr_options_release_words(words[k]);
}
