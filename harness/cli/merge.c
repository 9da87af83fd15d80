/* orrery merge: journals of shards, machines and people as one folder. */
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "datasets/formats/output.h"
#include "error.h"
#include "ledger/campaign.h"
#include "ledger/ledger.h"
#include "plain_file.h"
#include "text.h"

struct merge {
    struct orr_words from;
    const char *target;
    char to[1000]; /* without slashes behind */
    bool mixed, partial, damaged;
    struct orr_ledger ledger;
    char folder[1024]; /* that is written, and then renamed */
    size_t refused, journals;
    char first[1024]; /* reason to refuse, with the option that lets it pass */
};

/* --- what is wrong --- */

static int judge_damage(const struct merge *merge)
{
    const struct orr_journal_damage *damage = &merge->ledger.damage;
    char named[sizeof damage->text];
    snprintf(named, sizeof named, "%s", damage->text);
    if (!damage->count || merge->damaged)
        return 0;
    return orr_fail(ORR_EINPUT,
                    "nothing was merged: %zu damaged line%s in the journals: %s; `orrery run "
                    "--resume` measures such cells again, --damaged merges what readers skip",
                    damage->count, damage->count == 1 ? "" : "s", orr_text_tame(named));
}

static int hear(enum orr_campaign_kind kind, const char *text, void *context)
{
    struct merge *merge = context;
    const bool mixed = kind == ORR_CAMPAIGN_MIXED || kind == ORR_CAMPAIGN_PLANS,
               shards = kind == ORR_CAMPAIGN_SHARDS, told = kind == ORR_CAMPAIGN_TWICE;
    char tamed[900];
    snprintf(tamed, sizeof tamed, "%s", text);
    orr_text_tame(tamed);
    if (told || (mixed && merge->mixed) || (shards && merge->partial))
        printf("%s\n", tamed);
    else if (!merge->refused++)
        snprintf(merge->first, sizeof merge->first, "%s%s", tamed,
                 mixed    ? "; --mixed merges them nevertheless"
                 : shards ? "; --partial merges what there is"
                          : "");
    return 0;
}

static int judge(struct merge *merge)
{
    char more[80] = "";
    if (!merge->ledger.journals)
        return orr_fail(ORR_EUSAGE, "there are no journals in what was named");
    int code = judge_damage(merge);
    if (!code)
        code = orr_campaign_each(&merge->ledger, true, hear, merge);
    if (merge->refused > 1)
        snprintf(more, sizeof more, "; and %zu more, which `orrery check` lists",
                 merge->refused - 1);
    return code || !merge->refused
               ? code
               : orr_fail(ORR_EINPUT, "nothing was merged: %s%s", merge->first, more);
}

/* --- files --- */

static int open_file(FILE **out, const char *path)
{
    const char *why;
    *out = orr_plain_file_open(path, &why);
    return *out ? 0 : orr_fail(ORR_EIO, "cannot read %s: %s", path, why);
}

static int copy(const char *to, const char *from)
{
    FILE *file;
    struct orr_output output;
    char piece[65536];
    size_t size;
    int code = open_file(&file, from);
    if (code)
        return code;
    code = orr_output_begin(&output, to);
    if (!code && !(code = orr_output_open(&output))) {
        while (!code && (size = fread(piece, 1, sizeof piece, file)) > 0)
            code = orr_output_write(&output, piece, size);
        if (!code && ferror(file))
            code = orr_fail(ORR_EIO, "cannot read %s: %s", from, strerror(errno));
        if (code)
            orr_output_abandon(&output);
        else
            code = orr_output_commit(&output);
    }
    fclose(file);
    return code;
}

/* Copies of a journal are equal as far as both go. *longer: does the second go further? */
static int compare(bool *longer, const char *first, const char *second)
{
    FILE *a, *b;
    int code = open_file(&a, first), x, y;
    if (code)
        return code;
    code = open_file(&b, second);
    if (!code) {
        do {
            x = getc(a), y = getc(b);
        } while (x == y && x != EOF);
        *longer = x == EOF && y != EOF;
        if (x != EOF && y != EOF)
            code = orr_fail(ORR_EINPUT,
                            "nothing was merged: %s and %s are of one run and differ; one of them "
                            "was changed",
                            first, second);
        fclose(b);
    }
    fclose(a);
    return code;
}

/* Pictures of bodies lie beside their journal, as <run>-<cell>.csv. */
static int copy_with_pictures(const char *folder, const char *run, const char *path)
{
    char above[1024], to[2048], from[2048];
    snprintf(above, sizeof above, "%s", path);
    snprintf(to, sizeof to, "%s/%s.jsonl", folder, run);
    int code = copy(to, path);
    const char *beside = dirname(above);
    DIR *open = code ? NULL : opendir(beside);
    const size_t length = strlen(run);
    for (struct dirent *entry; open && !code && (entry = readdir(open));) {
        const char *name = entry->d_name;
        if (strncmp(name, run, length) != 0 || name[length] != '-' || strstr(name, ".part-") ||
            !orr_text_matches("*.csv", name))
            continue;
        snprintf(to, sizeof to, "%s/%s", folder, name);
        snprintf(from, sizeof from, "%s/%s", beside, name);
        code = copy(to, from);
    }
    if (open)
        closedir(open);
    return code;
}

/* --- the folder --- */

struct journal {
    char machine[256], run[128], path[1024];
};

static int write_journal(struct merge *merge, const struct journal *journal)
{
    char folder[1500];
    if (!*journal->run || *journal->run == '.' || strchr(journal->run, '/'))
        return orr_fail(ORR_EINPUT, "%s: '%s' is no name for a run", journal->path, journal->run);
    int code = orr_journal_folder(folder, sizeof folder, merge->folder, journal->machine);
    if (!code && mkdir(folder, 0777) && errno != EEXIST)
        code = orr_fail(ORR_EIO, "cannot make the folder %s: %s", folder, strerror(errno));
    if (!code)
        code = copy_with_pictures(folder, journal->run, journal->path);
    merge->journals += !code;
    return code;
}

/* Every run once: the longest of its copies. */
static int write_all(struct merge *merge)
{
    struct journal best = {0}, next;
    sqlite3_stmt *row;
    int more, code = orr_ledger_query(
                  &row, &merge->ledger,
                  "SELECT DISTINCT machine, coalesce(run, ''), path FROM run AS one WHERE run_key ="
                  " (SELECT min(run_key) FROM run WHERE path = one.path) ORDER BY 1, 2, 3",
                  "");
    if (code)
        return code;
    while (!code && (more = orr_ledger_next(row, &merge->ledger)) != 0) {
        bool longer = true;
        snprintf(next.machine, sizeof next.machine, "%s", orr_ledger_text(row, 0));
        snprintf(next.run, sizeof next.run, "%s", orr_ledger_text(row, 1));
        snprintf(next.path, sizeof next.path, "%s", orr_ledger_text(row, 2));
        const bool known = !strcmp(best.machine, next.machine) && !strcmp(best.run, next.run);
        if (more < 0)
            code = more;
        else if (known && !(code = compare(&longer, best.path, next.path)))
            printf("%s and %s are the same journal%s; written once\n", best.path, next.path,
                   longer ? ", the second goes further" : "");
        else if (!known && *best.path)
            code = write_journal(merge, &best);
        if (longer)
            best = next;
    }
    sqlite3_finalize(row);
    return code || !*best.path ? code : write_journal(merge, &best);
}

static int drop(const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)status, (void)type, (void)at;
    remove(path);
    return 0;
}

/* Whole or not at all: under another name until everything is written. */
static int write_folder(struct merge *merge)
{
    char above[1024];
    snprintf(above, sizeof above, "%s", merge->to);
    int code = orr_journal_make_folders(dirname(above));
    if (code)
        return code;
    if ((size_t)snprintf(merge->folder, sizeof merge->folder, "%s.part-XXXXXX", merge->to) >=
        sizeof merge->folder)
        return orr_fail(ORR_EUSAGE, "path too long: %s", merge->to);
    if (!mkdtemp(merge->folder) || chmod(merge->folder, 0755))
        return orr_fail(ORR_EIO, "cannot make the folder %s: %s", merge->to, strerror(errno));
    code = write_all(merge);
    if (!code && rename(merge->folder, merge->to))
        code = orr_fail(errno == ENOTEMPTY || errno == EEXIST ? ORR_EUSAGE : ORR_EIO,
                        "cannot make the folder %s: %s; merge into a new one", merge->to,
                        strerror(errno));
    if (code)
        nftw(merge->folder, drop, 16, FTW_DEPTH | FTW_PHYS);
    return code;
}

/* Renaming replaces an empty folder. */
static bool is_empty(const char *folder)
{
    struct dirent *entry;
    DIR *open = opendir(folder);
    bool empty = open != NULL;
    while (empty && (entry = readdir(open)))
        empty = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
    if (open)
        closedir(open);
    return empty;
}

static int check_target(struct merge *merge)
{
    struct stat status;
    if (!merge->from.count)
        return orr_fail(ORR_EUSAGE, "merge what? Name journals, folders or machines, and -o DIR");
    if (!merge->target || !*merge->target)
        return orr_fail(ORR_EUSAGE, "merge needs -o DIR, the folder to write");
    size_t length = (size_t)snprintf(merge->to, sizeof merge->to, "%s", merge->target);
    if (length >= sizeof merge->to)
        return orr_fail(ORR_EUSAGE, "path too long: %s", merge->target);
    while (length > 1 && merge->to[length - 1] == '/')
        merge->to[--length] = '\0';
    if (!lstat(merge->to, &status) && !is_empty(merge->to))
        return orr_fail(ORR_EUSAGE, "%s is there already; merge into a new folder", merge->to);
    return 0;
}

static int merge_all(struct merge *merge)
{
    int code = check_target(merge);
    if (!code)
        code = orr_ledger_open(&merge->ledger);
    for (int k = 0; !code && k < merge->from.count; k++)
        code = orr_ledger_add(&merge->ledger, merge->from.items[k]);
    if (!code)
        code = judge(merge);
    if (!code)
        code = write_folder(merge);
    if (!code)
        printf("%zu journal%s: %s\n", merge->journals, merge->journals == 1 ? "" : "s", merge->to);
    orr_ledger_close(&merge->ledger);
    return code;
}

int orr_cli_merge(int argc, char **argv)
{
    struct merge merge = {0};
    const struct orr_option options[] = {
        {"output", 'o', ORR_OPTION_TEXT, &merge.target, "DIR", "the folder to write, a new one"},
        {"partial", 0, ORR_OPTION_FLAG, &merge.partial, NULL,
         "although shards or some of their cells are missing"},
        {"mixed", 0, ORR_OPTION_FLAG, &merge.mixed, NULL,
         "although versions, drivers, builds or machines of one name differ"},
        {"damaged", 0, ORR_OPTION_FLAG, &merge.damaged, NULL,
         "although lines are damaged, which readers skip"},
    };
    const struct orr_options all = {
        "merge JOURNAL|DIR|MACHINE... -o DIR",
        "Journals of shards, machines and people, in any order, as one folder. They are copied as\n"
        "they are, once each; what does not fit together is refused.",
        options, sizeof options / sizeof *options};
    int code = orr_options_parse(&all, argc, argv, &merge.from);
    if (!code)
        code = merge_all(&merge);
    orr_options_release_words(&merge.from);
    return orr_cli_status(code);
}
