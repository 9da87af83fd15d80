#include "cli/gone.h"

#include <string.h>

static const struct {
    const char *command, *instead;
} commands[] = {
    {"watch", "`orrery run` tells its own progress, and `orrery table EXPERIMENT -r JOURNAL` works "
              "while the journal is still written"},
    {"tune", "tools/tune.sh searches with `orrery run --set ... --json`"},
    {"merge", "name several folders instead: `orrery table EXPERIMENT -r A -r B`"},
    {"submit", "tools/slurm/orrery.sbatch runs the shards of `orrery run --shard` as a job array"},
    {"export", "tools/artifact.sh packs results; `orrery check` reads them"},
};

static const struct {
    const char *command, *option, *instead;
} options[] = {
    /* of measuring */
    {"run", "lock-clocks", "docs/METHOD.md says how to lock a card's clocks beforehand"},
    {"run", "cold", "every step is measured with caches as the step before it left them"},
    {"compare", "cold", "every step is measured with caches as the step before it left them"},
    /* of tuned settings */
    {"run", "tuned", "the best known settings are the defaults of paper.yaml; others by --set"},
    /* of completions and the man page */
    {"help", "for", "tools/completion.bash completes in bash; help2man makes the man page"},
    /* of pictures */
    {"render", "colour", "the palette is a line of plots/render.gp"},
    {"render", "smear", "--bins chooses how coarse a picture is"},
    /* of calibration */
    {"claims", "calibrate", "`make calibrate` feeds the claims the papers' own numbers"},
};

const char *orr_gone_command(const char *name)
{
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
        if (!strcmp(commands[k].command, name))
            return commands[k].instead;
    return NULL;
}

const char *orr_gone_option(const char *command, const char *name, size_t length)
{
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        if (!strcmp(options[k].command, command) && strlen(options[k].option) == length &&
            !strncmp(options[k].option, name, length))
            return options[k].instead;
    return NULL;
}
