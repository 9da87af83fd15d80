/* SPDX-License-Identifier: MIT */
#include "paths.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "memory.h"
#include "names.h"

/* Fails where it is too long. */
__attribute__((format(printf, 3, 4))) static int put(char *out, size_t size, const char *format,
                                                     ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(out, size, format, arguments);
    va_end(arguments);
    return (size_t)length < size ? 0 : orr_fail(ORR_EINTERNAL, "path too long: %s", out);
}

bool orr_paths_find_tool(char *out, size_t size, const char *name)
{
    const char *at = getenv("PATH");
    while (at && *at) {
        int length = (int)strcspn(at, ":");
        if ((size_t)snprintf(out, size, "%.*s/%s", length, at, name) < size && !access(out, X_OK))
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

int orr_paths_program(char *out, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", out, size - 1);
    if (length < 0)
        return orr_fail(ORR_EINTERNAL, "cannot find the running program through /proc/self/exe");
    out[length] = '\0';
    return 0;
}

/* <home>/build, the folder of the program; test programs lie one deeper, in <home>/build/tests.
 * `above`: the folder that it lies in. */
static int build_folder(char *out, size_t size, bool above)
{
    int code = orr_paths_program(out, size);
    char *slash = code ? NULL : strrchr(out, '/');
    if (slash)
        *slash = '\0';
    if (slash && (slash = strrchr(out, '/')) && !strcmp(slash, "/tests"))
        *slash = '\0';
    if (!code && above && (slash = strrchr(out, '/')))
        *slash = '\0';
    return code;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return !stat(path, &about) && S_ISDIR(about.st_mode);
}

/* A home is known by a file that has been in each, whatever papers it holds. */
static bool is_home(const char *folder)
{
    char path[PATH_MAX];
    return (size_t)snprintf(path, sizeof path, "%s/datasets/manifest", folder) < sizeof path &&
           !access(path, R_OK);
}

static int find_home(char *out, size_t size)
{
    static const char installed[] = "/share/orrery";
    const char *chosen = getenv("ORRERY_HOME");
    if (chosen && *chosen)
        return is_folder(chosen)
                   ? put(out, size, "%s", chosen)
                   : orr_fail(ORR_EUSAGE, "ORRERY_HOME names %s, which is no folder", chosen);
    int code = build_folder(out, size - sizeof installed, true);
    const int length = code ? 0 : (int)strlen(out);
    if (code || is_home(out) || is_home(strcat(out, installed)))
        return code;
    return orr_fail(ORR_EINPUT,
                    "papers, plots and data sets are not where this program looks for them: neither"
                    " %.*s nor %s holds datasets/manifest; `make install` puts them there,"
                    " or say with ORRERY_HOME where they are",
                    length ? length : 1, out, out);
}

int orr_paths_home(char *out, size_t size, const char *format, ...)
{
    char relative[1024], home[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(relative, sizeof relative, format, arguments);
    va_end(arguments);
    int code = find_home(home, sizeof home);
    return code ? code : put(out, size, "%s/%s", home, relative);
}

static int has_paper(struct stat *out, const char *folder, const char *key)
{
    char path[PATH_MAX];
    return (size_t)snprintf(path, sizeof path, "%s/%s/paper.yaml", folder, key) < sizeof path &&
           !stat(path, out);
}

static int add_folder(struct orr_names *folders, const char *folder)
{
    struct stat about;
    if (!is_folder(folder))
        return orr_fail(ORR_EUSAGE, "ORRERY_PAPERS names %s, which is no folder", folder);
    if (has_paper(&about, folder, "."))
        return orr_fail(ORR_EUSAGE,
                        "ORRERY_PAPERS names the paper %s, not the folder that holds it", folder);
    orr_names_add(folders, "%s", folder);
    return 0;
}

int orr_paths_papers(char ***out)
{
    struct orr_names folders = {0};
    const char *chosen = getenv("ORRERY_PAPERS");
    char home[PATH_MAX], *copy = orr_memory_text(chosen ? chosen : ""), *rest = copy, *folder;
    int code = orr_paths_home(home, sizeof home, "variants");
    orr_names_add(&folders, "%s", home);
    while (!code && (folder = strsep(&rest, ":")))
        code = *folder ? add_folder(&folders, folder) : 0;
    free(copy);
    *out = code ? NULL : folders.items;
    if (code)
        orr_names_free(folders.items);
    return code;
}

int orr_paths_paper(char *out, size_t size, const char **shown, const char *key, const char *file)
{
    static const char usual[] = "variants";
    char **folders;
    const char *found = NULL;
    struct stat about, before = {0};
    int code = orr_paths_papers(&folders);
    for (char **folder = folders; !code && *folder; folder++) {
        if (!has_paper(&about, *folder, key))
            continue;
        const bool same = found && about.st_dev == before.st_dev && about.st_ino == before.st_ino;
        if (found && !same)
            code = orr_fail(ORR_EINPUT, "there are two papers '%s': %s/%s and %s/%s", key, found,
                            key, *folder, key);
        found = same ? found : *folder;
        before = about;
    }
    if (!code) {
        const bool at_home = !found || !strcmp(found, *folders);
        *shown = at_home ? out + strlen(*folders) - strlen(usual) : out;
        code = put(out, size, "%s/%s/%s", at_home ? *folders : found, key, file);
    }
    orr_names_free(folders);
    return code;
}

/* Beside a program that was built, <prefix>/lib/orrery/variants of one that was installed. */
static int find_plugins(char *out, size_t size)
{
    static const char installed[] = "/lib/orrery/variants";
    int code = build_folder(out, size - sizeof installed, true);
    const bool built = !code && is_home(out);
    if (built)
        code = build_folder(out, size - sizeof installed, false);
    if (!code)
        strcat(out, built ? "/variants" : installed);
    return code;
}

int orr_paths_plugins(char *out, size_t size)
{
    const char *chosen = getenv("ORRERY_PLUGINS");
    return chosen && *chosen ? put(out, size, "%s", chosen) : find_plugins(out, size);
}

int orr_paths_library(char *out, size_t size, const char *name)
{
    char folder[1024];
    int code = find_plugins(folder, sizeof folder);
    char *last = code ? NULL : strrchr(folder, '/');
    return last ? put(out, size, "%.*s/%s", (int)(last - folder), folder, name) : code;
}

/* Anyone may make a folder below /tmp, and what lies in the cache is run. */
static bool is_ours(const char *folder)
{
    struct stat about;
    if (lstat(folder, &about))
        return errno == ENOENT;
    return S_ISDIR(about.st_mode) && about.st_uid == geteuid() &&
           !(about.st_mode & (S_IWGRP | S_IWOTH));
}

int orr_paths_cache(char *out, size_t size)
{
    static const char *const chosen[][2] = {
        {"ORRERY_CACHE", ""}, {"XDG_CACHE_HOME", "/orrery"}, {"HOME", "/.cache/orrery"}};
    for (size_t k = 0; k < sizeof chosen / sizeof *chosen; k++) {
        const char *base = getenv(chosen[k][0]);
        if (base && *base)
            return put(out, size, "%s%s", base, chosen[k][1]);
    }
    int code = put(out, size, "/tmp/orrery-%u", (unsigned)getuid());
    return code || is_ours(out) ? code
                                : orr_fail(ORR_EIO, "%s is a link or others may write to it", out);
}

/* --- temporary folders --- */

int orr_paths_make_temporary(char *out, size_t size, const char *what)
{
    const char *base = getenv("TMPDIR");
    if (!base || !*base || (size_t)snprintf(out, size, "%s/orrery-%sXXXXXX", base, what) >= size)
        snprintf(out, size, "/tmp/orrery-%sXXXXXX", what);
    if (mkdtemp(out))
        return 0;
    int code = orr_fail(ORR_EIO, "cannot make the folder %s: %s; TMPDIR names another place", out,
                        strerror(errno));
    *out = '\0';
    return code;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *level)
{
    (void)about, (void)kind, (void)level;
    remove(path);
    return 0;
}

void orr_paths_remove_temporary(char *folder)
{
    enum { OPEN_FOLDERS = 16 };
    if (*folder)
        nftw(folder, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    *folder = '\0';
}
