#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "error.h"
#include "names.h"
#include "plan/paper.h"
#include "plugin/plugin.h"

static void add_paper(struct orr_names *names, const char *key, bool all)
{
    struct orr_paper *paper;
    if (all)
        orr_names_add(names, "%s", key);
    if (orr_paper_load(&paper, key)) { /* its own command reports what is wrong with it */
        orr_error_clear();
        return;
    }
    for (unsigned k = 0; k < paper->variants_count; k++)
        orr_names_add(names, "%s/%s", key, paper->variants[k].name);
    for (unsigned k = 0; all && k < paper->experiments_count; k++)
        orr_names_add(names, "%s/%s", key, paper->experiments[k].name);
    orr_paper_free(paper);
}

static int collect(char ***out, bool all)
{
    struct orr_names names = {0};
    char **keys = NULL, **plugins = NULL;
    *out = NULL;
    int code = orr_paper_keys(&keys);
    for (char **k = keys; !code && *k; k++)
        add_paper(&names, *k, all);
    if (!code)
        code = orr_plugin_names(&plugins);
    for (char **k = plugins; !code && *k; k++)
        orr_names_add(&names, "%s", *k);
    orr_names_free(keys);
    orr_names_free(plugins);
    return orr_names_finish(&names, out, code);
}

int orr_catalogue_names(char ***out)
{
    return collect(out, true);
}

int orr_catalogue_check_variant(const char *name)
{
    char **names;
    int code = collect(&names, false);
    if (code)
        return code;
    bool found = false;
    for (char **k = names; *k && !found; k++)
        found = !strcmp(*k, name);
    if (!found)
        code = orr_names_fail("there is no variant", name, names, orr_names_count(names),
                              sizeof *names);
    orr_names_free(names);
    return code;
}

int orr_catalogue_spell(char *word)
{
    char **names;
    const char *letter = word;
    while (*letter && !isupper((unsigned char)*letter))
        letter++;
    if (!*letter) /* all papers are read for the others, which takes a while */
        return 0;
    int code = orr_catalogue_names(&names);
    if (code)
        return code;
    const char *found = NULL;
    for (char **name = names; *name && !(found && !strcmp(found, word)); name++)
        if (!strcasecmp(*name, word))
            found = *name;
    if (found)
        strcpy(word, found);
    orr_names_free(names);
    return 0;
}
