/* orrery generations: from the papers' own cards to the devices measured here. */
#include "cli/cli.h"
#include "cli/overview.h"
#include "error.h"
#include "present/write.h"

int orr_cli_generations(int argc, char **argv)
{
    struct orr_result_source source = {.several = true};
    struct orr_words what = {0}, none;
    const char *name = "md", *path = NULL;
    bool as_json = false;
    const struct orr_option options[] = {
        {"format", 'f', ORR_OPTION_TEXT, &name, "md|csv|tex|json", "how to write it; default md"},
        {"json", 0, ORR_OPTION_FLAG, &as_json, NULL, "--format json"},
        {"output", 'o', ORR_OPTION_TEXT, &path, "FILE",
         "write to a file instead of standard output"},
        ORR_RESULT_OPTIONS(source),
    };
    const struct orr_options all = {
        "generations [EXPERIMENT|PAPER...] [options]",
        "Each program from the card that its paper names to each device measured: how many times\n"
        "as fast, taken apart into clock, lanes, slots, share of the limit and algorithm, and by\n"
        "peak, bandwidth and watt; and whether the order of the programs is kept. The figure is\n"
        "`orrery plot generations`.",
        options, sizeof options / sizeof *options};
    char *words[] = {(char[]){"generations"}};
    const struct orr_words overview = {words, 1};
    int code = orr_options_parse(&all, argc, argv, &what);
    const struct orr_format *format = code ? NULL : orr_format_find(as_json ? "json" : name);
    if (!code)
        code = !format ? ORR_EUSAGE
                       : orr_overview_table(orr_overview_find(&none, &overview), &source, &what,
                                            format, path);
    orr_options_release_words(&what);
    orr_cli_release_source(&source);
    return orr_cli_status(code);
}
