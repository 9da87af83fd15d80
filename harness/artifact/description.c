/* README.md: the description and the evaluation of an artifact, in the order in which the
 * appendices of SC, PPoPP and ACM ask for it. */
#include <string.h>

#include "artifact/artifact_parts.h"
#include "json_member.h"
#include "present/write.h"

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = orr_json_text(object, name);
    return text ? text : "";
}

/* --- times --- */

#define GUESS "≈ "

/* Rounded up, for a reader who plans an afternoon: "7 min", "2 h 10 min". */
static void put_time(FILE *to, double seconds)
{
    long minutes = seconds > 60 ? (long)(seconds / 60 + 0.999) : 1;
    if (minutes < 60)
        fprintf(to, "%ld min", minutes);
    else
        fprintf(to, "%ld h %02ld min", minutes / 60, minutes % 60);
}

static const json_t *find_command(const json_t *about, const json_t *verdict)
{
    size_t k;
    json_t *command;
    json_array_foreach(json_object_get(about, "commands"), k, command)
    {
        if (!strcmp(text_of(command, "command"), text_of(verdict, "command")) &&
            !strcmp(text_of(command, "machine"), text_of(verdict, "machine")))
            return command;
    }
    return NULL;
}

/* --- description --- */

static void put_list(FILE *to, const char *title, const json_t *list, const char *member)
{
    size_t k;
    json_t *entry;
    fprintf(to, "- **%s:** ", title);
    json_array_foreach(list, k, entry)
    {
        fputs(k ? "; " : "", to);
        orr_format_md_cell(to, member ? text_of(entry, member) : json_string_value(entry));
    }
    fputs("\n", to);
}

static void put_times(FILE *to, const json_t *about)
{
    size_t k;
    json_t *total;
    fputs("- **Time to complete, by the journals:** ", to);
    json_array_foreach(json_object_get(about, "totals"), k, total)
    {
        fputs(k ? "; " : "", to);
        fputs(json_is_true(json_object_get(total, "guessed")) ? GUESS : "", to);
        put_time(to, orr_json_number(total, "seconds"));
        fputs(" for ", to);
        orr_format_md_cell(to, text_of(total, "machine"));
        fprintf(to, " %s", text_of(total, "device"));
    }
    fputs("\n", to);
}

static void put_check_list(FILE *to, const json_t *about)
{
    fputs("\n## Check-list\n\n", to);
    put_list(to, "Algorithms, of", json_object_get(about, "papers"), "title");
    fprintf(to,
            "- **Program:** Orrery %s, commit %s, wrote this folder; each journal says which one "
            "measured\n",
            text_of(json_object_get(about, "orrery"), "version"),
            text_of(json_object_get(about, "orrery"), "commit"));
    put_list(to, "Compilation", json_object_get(about, "builds"), "compiler");
    put_list(to, "Data sets, made by the program, the same bits everywhere",
             json_object_get(about, "datasets"), "name");
    put_list(to, "Hardware", json_object_get(about, "machines"), "name");
    put_list(to, "Run-time environment", json_object_get(about, "machines"), "os");
    fprintf(to,
            "- **Metrics:** time of a step, interactions a second, errors against double "
            "precision; verdicts on %zu claims\n"
            "- **Output:** journals (JSON lines), tables, figures, one HTML page\n"
            "- **Experiments:** %zu commands, below\n"
            "- **Disk space:** 1 GB for the build; results take %.0f MB\n"
            "- **Time to prepare:** 5 min on two cores\n",
            json_array_size(json_object_get(about, "claims")),
            json_array_size(json_object_get(about, "commands")),
            orr_json_number(about, "bytes") / 1e6 + 1);
    put_times(to, about);
    fprintf(to, "- **Licence:** %s\n", text_of(about, "licence"));
}

static void put_devices(FILE *to, const json_t *machine)
{
    static const char *const columns[] = {"device", "device_name", "driver", "toolkit"};
    size_t k;
    json_t *device;
    fputs("\n| device | name | driver | compiler of kernels |\n|---|---|---|---|\n", to);
    json_array_foreach(json_object_get(machine, "devices"), k, device)
    {
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
            fputs("| ", to);
            orr_format_md_cell(to, text_of(device, columns[c]));
            fputs(" ", to);
        }
        fputs("|\n", to);
    }
}

/* Commands to copy: nothing in them may end the block. */
static void put_runs(FILE *to, const json_t *machine)
{
    size_t k;
    json_t *run;
    fputs("\nMeasured by\n\n```\n", to);
    json_array_foreach(json_object_get(machine, "journals"), k, run)
    {
        fprintf(to, "# %s, Orrery %s (%s)\n", text_of(run, "run"), text_of(run, "version"),
                text_of(run, "commit"));
        for (const char *c = text_of(run, "command"); *c; c++)
            fputc(*c == '`' || *c == '\n' ? ' ' : *c, to);
        fputs("\n", to);
    }
    fputs("```\n", to);
}

static void put_machine(FILE *to, const json_t *machine)
{
    fputs("\n### ", to);
    orr_format_md_cell(to, text_of(machine, "name"));
    fputs("\n\n", to);
    orr_format_md_cell(to, text_of(machine, "cpu"));
    fprintf(to, ", %d cores, %d threads, %.0f GiB, %s; ", (int)orr_json_integer(machine, "cores"),
            (int)orr_json_integer(machine, "threads"),
            orr_json_number(machine, "memory_bytes") / 1073741824, text_of(machine, "simd"));
    orr_format_md_cell(to, text_of(machine, "os"));
    fputs(", ", to);
    orr_format_md_cell(to, text_of(machine, "kernel"));
    fputs(".\n", to);
    put_devices(to, machine);
    put_runs(to, machine);
}

static void put_description(FILE *to, const json_t *about)
{
    size_t k;
    json_t *entry;
    fputs("\n# Artifact description\n\n", to);
    json_array_foreach(json_object_get(about, "papers"), k, entry)
    {
        fputs("- ", to);
        orr_format_md_cell(to, text_of(entry, "authors"));
        fputs(", *", to);
        orr_format_md_cell(to, text_of(entry, "title"));
        fputs("*, ", to);
        orr_format_md_cell(to, text_of(entry, "venue"));
        if (orr_json_integer(entry, "year"))
            fprintf(to, ", %d", (int)orr_json_integer(entry, "year"));
        fputs("\n", to);
    }
    put_check_list(to, about);
    fputs("\n## Machines\n", to);
    json_array_foreach(json_object_get(about, "machines"), k, entry)
    {
        put_machine(to, entry);
    }
}

/* --- evaluation --- */

static void put_installation(FILE *to, const json_t *about)
{
    fprintf(
        to,
        "\n# Artifact evaluation\n\n## Installation\n\nFrom a checkout of Orrery at commit %s, on "
        "Debian 12 or Ubuntu 24.04:\n\n```\ntools/install.sh build      # the packages; it names "
        "them first\nmake -j\nexport PATH=\"$PWD/build:$PATH\"\norrery doctor               # "
        "what this machine has and lacks\nmake check-artifact         # under 15 minutes on two "
        "cores: are verdicts that no machine should change the expected ones?\n```\n\nA container "
        "is built by `docker build -t orrery -f tools/Containerfile .`.\nAn NVIDIA GPU takes its "
        "driver and NVRTC, which are found at run time.\n",
        text_of(json_object_get(about, "orrery"), "commit"));
}

static void put_workflow(FILE *to)
{
    fputs("\n## Workflow\n\nIs this folder as it was written, and do its journals give its "
          "verdicts?\n\n```\nsha256sum -c --strict --quiet SHA256SUMS\norrery check "
          ".\n```\n\nThen, on a "
          "machine of your own, a command of the tables below and\n\n```\norrery claims "
          "          # the papers' sentences, judged by what was measured\norrery report       "
          "     # everything on one page, report/index.html\n```\n\nA command goes on where it "
          "stopped with `--continue`, and `--dry-run` says how long it takes there.\nOn hardware "
          "like "
          "that of a machine above, `--machine NAME` gives the results its name; then\n\n```\n"
          "orrery claims -m NAME --expect claims.json --listed\n```\n\ncompares verdict by "
          "verdict, and "
          "exits "
          "with 1 where one differs.\n",
          to);
}

/* One row of claims -> commands -> minutes -> verdicts. */
static void put_verdict(FILE *to, const json_t *about, const json_t *claim, const json_t *verdict)
{
    const json_t *command = find_command(about, verdict);
    const json_t *seconds = json_object_get(command, "seconds");
    const char *reading = text_of(verdict, "reading");
    fprintf(to, "| %s%s%s | ", text_of(claim, "id"), strcmp(reading, "as printed") ? ", " : "",
            strcmp(reading, "as printed") ? reading : "");
    if (*text_of(verdict, "command"))
        fprintf(to, "`%s`", text_of(verdict, "command"));
    else
        fputs("—", to);
    fputs(" | ", to);
    if (json_is_number(seconds)) {
        fputs(json_is_true(json_object_get(command, "guessed")) ? GUESS : "", to);
        put_time(to, json_number_value(seconds));
    } else {
        fputs("—", to);
    }
    fputs(" | ", to);
    orr_format_md_cell(to, text_of(verdict, "score"));
    fputs(" |\n", to);
}

/* The verdicts of one paper on one device. Claims that need no machine come with an empty one. */
static void put_device(FILE *to, const json_t *about, const char *paper, const char *machine,
                       const char *device)
{
    size_t c, v, rows = 0;
    json_t *claim, *verdict;
    json_array_foreach(json_object_get(about, "claims"), c, claim)
    {
        if (strcmp(text_of(claim, "paper"), paper) != 0)
            continue;
        json_array_foreach(json_object_get(claim, "expected"), v, verdict)
        {
            if (strcmp(text_of(verdict, "machine"), machine) != 0 ||
                strcmp(text_of(verdict, "device"), device) != 0)
                continue;
            if (!rows++) {
                fputs("\n**", to);
                orr_format_md_cell(to, *machine ? machine : "By the paper alone, on any machine");
                fprintf(to, "%s%s**\n\n| claim | command | time | expected |\n|---|---|--:|---|\n",
                        *device ? " " : "", device);
            }
            put_verdict(to, about, claim, verdict);
        }
    }
}

static void put_paper(FILE *to, const json_t *about, const json_t *paper)
{
    size_t k;
    json_t *claim, *total;
    const char *key = text_of(paper, "key");
    fprintf(to, "\n### %s\n\n", key);
    json_array_foreach(json_object_get(about, "claims"), k, claim)
    {
        if (strcmp(text_of(claim, "paper"), key) != 0)
            continue;
        fprintf(to, "- **%s** (", text_of(claim, "id"));
        orr_format_md_cell(to, text_of(claim, "section"));
        fputs("): ", to);
        orr_format_md_cell(to, text_of(claim, "text"));
        fputs(". Published: ", to);
        orr_format_md_cell(to, text_of(claim, "published"));
        fputs(".\n", to);
    }
    put_device(to, about, key, "", "");
    json_array_foreach(json_object_get(about, "totals"), k, total)
    {
        put_device(to, about, key, text_of(total, "machine"), text_of(total, "device"));
    }
}

static void put_reading(FILE *to)
{
    fputs(
        "\n## How close is success\n\nA verdict is made of parts, each a number with an interval; "
        "`claims.json` has all of them with their cells, and `orrery describe CLAIM` shows one.\n"
        "Parts that compare times depend on the hardware: on another one they may come out "
        "otherwise without anything being wrong.\nParts that count, or measure errors, do not.\n"
        "*unclear* means that a difference is not certain, for want of processes or by noise; "
        "*incomplete* that cells are missing.\nTimes are what the same cells took on that machine; "
        "≥ marks a guess, of cells that were not measured there.\n",
        to);
}

int orr_artifact_describe(FILE *to, const json_t *about)
{
    size_t k;
    json_t *entry;
    fputs("# ", to);
    orr_format_md_cell(to, text_of(about, "title"));
    fputs("\n\n", to);
    orr_format_md_cell(to, text_of(about, "summary"));
    fprintf(to, "\nWritten %s", text_of(about, "made"));
    json_array_foreach(json_object_get(about, "authors"), k, entry)
    {
        fputs(k ? ", " : " by ", to);
        orr_format_md_cell(to, json_string_value(entry));
    }
    fputs(".\n", to);
    put_description(to, about);
    put_installation(to, about);
    put_workflow(to);
    fputs("\n## Claims, commands, times, expected verdicts\n", to);
    json_array_foreach(json_object_get(about, "papers"), k, entry)
    {
        put_paper(to, about, entry);
    }
    put_reading(to);
    fputs("\n## Files\n\n`artifact.json` is this page for programs, `claims.json` the output of "
          "`orrery claims --json`, `results/` the journals, `" ORR_ARTIFACT_CRATE
          "` describes them as RO-Crate 1.1, `" ORR_ARTIFACT_SUMS "` has the hash of each.\n",
          to);
    return 0;
}
