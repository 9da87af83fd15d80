#include "cli/journal_copies.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "datasets/formats/output.h"
#include "error.h"
#include "ledger/journal.h"
#include "plain_file.h"
#include "text.h"

/* --- a file --- */

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
        code = orr_output_end(&output, code);
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
            code =
                orr_fail(ORR_EINPUT, "%s and %s are of one run and differ; one of them was changed",
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

/* --- journals --- */

struct journal {
    char machine[256], run[128], path[1024];
};

static int write_journal(struct orr_journal_copies *copies, const struct journal *journal)
{
    char folder[1500];
    if (!*journal->run || *journal->run == '.' || strchr(journal->run, '/'))
        return orr_fail(ORR_EINPUT, "%s: '%s' is no name for a run", journal->path, journal->run);
    int code = orr_journal_folder(folder, sizeof folder, copies->folder, journal->machine);
    if (!code && mkdir(folder, 0777) && errno != EEXIST)
        code = orr_fail(ORR_EIO, "cannot make the folder %s: %s", folder, strerror(errno));
    if (!code)
        code = copy_with_pictures(folder, journal->run, journal->path);
    copies->count += !code;
    return code;
}

static bool is_wanted(const struct orr_journal_copies *copies, const char *machine)
{
    for (int k = 0; k < copies->machine_count; k++)
        if (!strcmp(copies->machines[k], machine))
            return true;
    return !copies->machine_count;
}

/* Of a file that holds several runs the first one's name counts. */
static const char runs[] =
    "SELECT DISTINCT machine, coalesce(run, ''), path FROM run AS one WHERE run_key ="
    " (SELECT min(run_key) FROM run WHERE path = one.path) AND (?1 IS NULL"
    " OR EXISTS (SELECT 1 FROM cell JOIN run USING (run_key) WHERE path = one.path"
    "  AND substr(experiment, 1, length(?1) + 1) = ?1 || '/')"
    " OR EXISTS (SELECT 1 FROM access_rate JOIN run USING (run_key) WHERE path = one.path))"
    " ORDER BY 1, 2, 3";

int orr_journal_copies_write(struct orr_journal_copies *copies)
{
    struct journal best = {0}, next;
    sqlite3_stmt *row;
    int more, code = orr_ledger_query(&row, copies->ledger, runs, "s", copies->paper);
    if (code)
        return code;
    while (!code && (more = orr_ledger_next(row, copies->ledger)) != 0) {
        bool longer = true;
        snprintf(next.machine, sizeof next.machine, "%s", orr_ledger_text(row, 0));
        snprintf(next.run, sizeof next.run, "%s", orr_ledger_text(row, 1));
        snprintf(next.path, sizeof next.path, "%s", orr_ledger_text(row, 2));
        const bool known = !strcmp(best.machine, next.machine) && !strcmp(best.run, next.run);
        if (more < 0)
            code = more;
        else if (!is_wanted(copies, next.machine))
            continue;
        else if (known && !(code = compare(&longer, best.path, next.path)))
            printf("%s and %s are the same journal%s; written once\n", best.path, next.path,
                   longer ? ", the second goes further" : "");
        else if (!known && *best.path)
            code = write_journal(copies, &best);
        if (longer)
            best = next;
    }
    sqlite3_finalize(row);
    return code || !*best.path ? code : write_journal(copies, &best);
}
