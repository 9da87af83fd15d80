/* Completions for bash, zsh and fish. */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "cli/help_parts.h"

/* --- what there is to choose from --- */

int orr_help_words(const struct orr_help_entry *entry)
{
    static const struct {
        const char *word;
        int kinds;
    } known[] = {{"WHAT", ORR_HELP_NAMES | ORR_HELP_VARIANTS},
                 {"EXPERIMENT", ORR_HELP_NAMES},
                 {"PAPER", ORR_HELP_NAMES},
                 {" VARIANT", ORR_HELP_VARIANTS},
                 {"|VARIANT", ORR_HELP_VARIANTS},
                 {"SNAPSHOT...", ORR_HELP_FILES},
                 {"FILE", ORR_HELP_FILES},
                 {" IN OUT", ORR_HELP_FILES}};
    const char *usage = entry->options->usage;
    int kinds = 0;
    /* The words before the first option. */
    size_t length = strcspn(usage + strlen(entry->name), "-\n") + strlen(entry->name);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const char *at = strstr(usage, known[k].word);
        if (at && at < usage + length)
            kinds |= known[k].kinds;
    }
    const char *name = strstr(usage, " NAME");
    if (name && name < usage + length)
        kinds |= strncmp(entry->name, "dataset", 7)
                     ? ORR_HELP_NAMES | ORR_HELP_VARIANTS | ORR_HELP_DATASETS
                     : ORR_HELP_DATASETS;
    return kinds;
}

char *orr_help_choices(char *out, size_t size, const char *text)
{
    size_t used = 0;
    *out = '\0';
    text += *text == '[';
    if (!strchr(text, '|') || strcspn(text, "|") > strcspn(text, " "))
        return out;
    for (; *text && !strchr("] [:", *text) && used + 1 < size; text++) {
        if (isupper((unsigned char)*text)) { /* FILE.svg|png: a placeholder, no word */
            *out = '\0';
            return out;
        }
        out[used++] = *text;
        if (*text == '|')
            out[used - 1] = ' ';
        out[used] = '\0';
    }
    return out;
}

bool orr_help_takes_file(const struct orr_option *option)
{
    static const char *const names[] = {"FILE", "DIR", "SNAPSHOT", "ACC"};
    for (size_t k = 0; option->argument && k < sizeof names / sizeof *names; k++)
        if (strstr(option->argument, names[k]))
            return true;
    return false;
}

/* The first words that a command may have: kinds of `list`. */
static char *first_words(char *out, size_t size, const struct orr_help_entry *e)
{
    const char *rest = e->options->usage + strlen(e->name);
    return orr_help_choices(out, size, rest + (*rest == ' '));
}

/* The lists that `orrery list` is asked for. */
static void put_kinds(FILE *to, int kinds)
{
    fprintf(to, "%s%s%s", kinds & ORR_HELP_NAMES ? "papers experiments " : "",
            kinds & ORR_HELP_VARIANTS ? "variants " : "",
            kinds & ORR_HELP_DATASETS ? "datasets " : "");
}

/* Within quotes of a shell: an apostrophe ends them and begins them again. `except` are characters
 * that get a backslash. */
static void put_quoted(FILE *to, const char *text, const char *except)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", to);
        else if (*text == '\n')
            putc(' ', to);
        else
            fprintf(to, "%s%c", strchr(except, *text) ? "\\" : "", *text);
}

static void put_names(FILE *to, const struct orr_help_commands *all)
{
    for (size_t k = 0; k < all->count; k++)
        fprintf(to, "%s ", all->items[k].name);
    fputs("help", to);
}

/* --- bash --- */

static void begin_bash(FILE *to, const struct orr_help_commands *all)
{
    fputs("# bash completion for orrery; `orrery help --for bash` writes it\n"
          "_orrery_names() {\n    local kind\n    for kind; do orrery list \"$kind\" 2>/dev/null | "
          "awk 'NR > 1 { print $1 }'; done\n}\n"
          "_orrery() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} "
          "of=${COMP_WORDS[1]} first=2\n"
          "    local options= choices= kinds= files=\n    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"",
          to);
    put_names(to, all);
    fprintf(to,
            "\" -- \"$cur\"))\n        return\n    fi\n    if [ \"$of\" = %s ]; then\n"
            "        if [ \"$COMP_CWORD\" -eq 2 ]; then\n"
            "            COMPREPLY=($(compgen -W \"%s\" -- \"$cur\"))\n            return\n"
            "        fi\n        of=\"$of ${COMP_WORDS[2]}\" first=3\n    fi\n    case $of in\n",
            all->verbed, all->verbs);
}

static void entry_bash(FILE *to, const struct orr_help_entry *e)
{
    char choices[256];
    fprintf(to, "    \"%s\")\n        options=\"", e->name);
    for (size_t k = 0; k < e->options->count; k++)
        fprintf(to, "--%s ", e->options->options[k].name);
    fputs("--help\"\n        kinds=\"", to);
    put_kinds(to, orr_help_words(e));
    fprintf(to, "\" choices=\"%s\"%s\n        case $prev in\n",
            first_words(choices, sizeof choices, e),
            orr_help_words(e) & ORR_HELP_FILES ? " files=yes" : "");
    for (size_t k = 0; k < e->options->count; k++) {
        const struct orr_option *o = &e->options->options[k];
        if (!o->argument)
            continue;
        fprintf(to, "        --%s", o->name);
        if (o->letter)
            fprintf(to, " | -%c", o->letter);
        fprintf(to, ") options= kinds= choices=\"%s\" files=%s first=0 ;;\n",
                orr_help_choices(choices, sizeof choices, o->argument),
                orr_help_takes_file(o) ? "yes" : "");
    }
    fputs("        esac\n        ;;\n", to);
}

static void end_bash(FILE *to)
{
    fputs(
        "    *) return ;;\n    esac\n"
        "    case $cur in\n    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")) ;;\n    *)\n"
        "        [ \"$first\" -eq 0 ] || [ \"$COMP_CWORD\" -eq \"$first\" ] || choices=\n"
        "        COMPREPLY=($(compgen -W \"$choices $(_orrery_names $kinds)\" -- \"$cur\"))\n"
        "        [ -z \"$files\" ] || COMPREPLY+=($(compgen -f -- \"$cur\"))\n        ;;\n"
        "    esac\n}\n"
        "complete -o filenames -F _orrery orrery\n",
        to);
}

const struct orr_help_writer orr_help_bash = {"bash", begin_bash, entry_bash, end_bash};

/* --- zsh --- */

static void begin_zsh(FILE *to, const struct orr_help_commands *all)
{
    fputs("#compdef orrery\n# `orrery help --for zsh` writes it\n"
          "_orrery_names() {\n    local -a names\n    local kind\n"
          "    for kind in ${=1}; do names+=(${(f)\"$(orrery list $kind 2>/dev/null | "
          "awk 'NR > 1 { print $1 }')\"}); done\n"
          "    compadd -a names\n    [[ -z $2 ]] || _files\n}\n"
          "_orrery() {\n    local -a commands\n    commands=(\n",
          to);
    for (size_t k = 0; k < all->count; k++) {
        fprintf(to, "        '%s:", all->items[k].name);
        put_quoted(to, all->items[k].summary, ":");
        fputs("'\n", to);
    }
    fprintf(
        to,
        "        'help:explains a command'\n    )\n"
        "    if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
        "    shift words; (( CURRENT-- ))\n    local of=$words[1]\n    if [[ $of == %s ]]; then\n"
        "        if (( CURRENT == 2 )); then compadd %s; return; fi\n"
        "        shift words; (( CURRENT-- )); of=\"$of $words[1]\"\n    fi\n    case $of in\n",
        all->verbed, all->verbs);
}

static void argument_zsh(FILE *to, const struct orr_option *o)
{
    char choices[256];
    if (!o->argument)
        return;
    fputs(":", to);
    put_quoted(to, o->argument, ":[]");
    fputs(":", to);
    if (*orr_help_choices(choices, sizeof choices, o->argument))
        fprintf(to, "(%s)", choices);
    else if (orr_help_takes_file(o))
        fputs("_files", to);
}

static void entry_zsh(FILE *to, const struct orr_help_entry *e)
{
    char choices[256];
    fprintf(to, "    '%s')\n        _arguments", e->name);
    for (size_t k = 0; k < e->options->count; k++) {
        const struct orr_option *o = &e->options->options[k];
        for (int letter = 0; letter <= (o->letter != 0); letter++) {
            fputs(" \\\n            '*", to);
            if (letter)
                fprintf(to, "-%c[", o->letter);
            else
                fprintf(to, "--%s[", o->name);
            put_quoted(to, o->help, ":[]");
            fputs("]", to);
            argument_zsh(to, o);
            fputs("'", to);
        }
    }
    fputs(" \\\n            '--help[explain]'", to);
    if (*first_words(choices, sizeof choices, e))
        fprintf(to, " \\\n            '1:what:(%s)'", choices);
    else if (orr_help_words(e)) {
        fputs(" \\\n            '*:what:{_orrery_names \"", to);
        put_kinds(to, orr_help_words(e));
        fprintf(to, "\" %s}'", orr_help_words(e) & ORR_HELP_FILES ? "files" : "");
    }
    fputs("\n        ;;\n", to);
}

static void end_zsh(FILE *to)
{
    fputs("    esac\n}\n_orrery \"$@\"\n", to);
}

const struct orr_help_writer orr_help_zsh = {"zsh", begin_zsh, entry_zsh, end_zsh};

/* --- fish --- */

static void begin_fish(FILE *to, const struct orr_help_commands *all)
{
    fputs("# fish completion for orrery; `orrery help --for fish` writes it\n"
          "function __orrery_names\n    for kind in $argv\n"
          "        orrery list $kind 2>/dev/null | awk 'NR > 1 { print $1 }'\n    end\nend\n"
          "complete -c orrery -f\n",
          to);
    for (size_t k = 0; k < all->count; k++) {
        fprintf(to, "complete -c orrery -n __fish_use_subcommand -a %s -d '", all->items[k].name);
        put_quoted(to, all->items[k].summary, "");
        fputs("'\n", to);
    }
    fprintf(to,
            "complete -c orrery -n __fish_use_subcommand -a help -d 'explains a command'\n"
            "complete -c orrery -n '__fish_seen_subcommand_from %s; and not "
            "__fish_seen_subcommand_from %s' -a '%s'\n",
            all->verbed, all->verbs, all->verbs);
}

static void condition_fish(FILE *to, const struct orr_help_entry *e)
{
    const char *verb = strchr(e->name, ' ');
    fprintf(to, "complete -c orrery -n '__fish_seen_subcommand_from %.*s",
            verb ? (int)(verb - e->name) : (int)strlen(e->name), e->name);
    if (verb)
        fprintf(to, "; and __fish_seen_subcommand_from%s", verb);
    fputs("'", to);
}

static void entry_fish(FILE *to, const struct orr_help_entry *e)
{
    char choices[256];
    int kinds = orr_help_words(e);
    for (size_t k = 0; k < e->options->count; k++) {
        const struct orr_option *o = &e->options->options[k];
        condition_fish(to, e);
        fprintf(to, " -l %s", o->name);
        if (o->letter)
            fprintf(to, " -s %c", o->letter);
        if (o->argument)
            fputs(orr_help_takes_file(o) ? " -r -F" : " -x", to);
        if (o->argument && *orr_help_choices(choices, sizeof choices, o->argument))
            fprintf(to, " -a '%s'", choices);
        fputs(" -d '", to);
        put_quoted(to, o->help, "");
        fputs("'\n", to);
    }
    if (*first_words(choices, sizeof choices, e)) {
        condition_fish(to, e);
        fprintf(to, " -a '%s'\n", choices);
    } else if (kinds & ~ORR_HELP_FILES) {
        condition_fish(to, e);
        fputs(" -a '(__orrery_names ", to);
        put_kinds(to, kinds);
        fputs(")'\n", to);
    }
    if (kinds & ORR_HELP_FILES) {
        condition_fish(to, e);
        fputs(" -F\n", to);
    }
}

static void end_fish(FILE *to)
{
    (void)to;
}

const struct orr_help_writer orr_help_fish = {"fish", begin_fish, entry_fish, end_fish};
