#include "compare/generations.h"

#include <stdlib.h>

#include "compare/sides.h"
#include "memory.h"
#include "present/queries.h"
#include "sql/compare/generations.h"

/* An experiment on every machine. */
static int collect(const struct orr_queries *queries, const struct orr_selection *selection,
                   const struct orr_target *target)
{
    struct orr_scopes scopes;
    int code = orr_selection_scopes(&scopes, selection, target);
    if (code)
        return code;
    struct orr_scope_side *sides = orr_memory_get(scopes.count * sizeof *sides);
    for (size_t k = 0; k < scopes.count; k++)
        sides[k] = (struct orr_scope_side){"", scopes.names[k]};
    code = orr_sides_collect(queries, selection, target, sides, scopes.count);
    free(sides);
    orr_selection_release_scopes(&scopes);
    return code;
}

static int begin(struct orr_queries *queries, const struct orr_selection *selection,
                 const struct orr_paper *paper)
{
    int code = orr_sides_queries(queries);
    if (!code)
        code = orr_queries_add(queries, "compare/generations.sql", sql_compare_generations);
    if (!code)
        code = orr_sides_forget(&selection->ledger);
    for (size_t k = 0; k < selection->target_count && !code; k++)
        if (selection->targets[k].paper == paper)
            code = collect(queries, selection, &selection->targets[k]);
    return code;
}

const struct orr_layout_overview orr_generations = {
    "generations", "Generations",
    "times as fast as printed, over the years of the devices; each program at its largest "
    "published input that was measured",
    begin};
