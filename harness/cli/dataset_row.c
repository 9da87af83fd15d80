#include "cli/dataset_row.h"

json_t *orr_dataset_row(const struct orr_dataset *set)
{
    return json_pack(
        "{s:s, s:s, s:i, s:I, s:I, s:I, s:o, s:b, s:o, s:f, s:f}", "name", set->name, "summary",
        set->summary, "dimensions", set->dimensions, "default_n", (json_int_t)set->default_n,
        "min_n", (json_int_t)set->min_n, "max_n", (json_int_t)set->max_n, "multiple",
        set->boxed ? json_null() : json_integer((json_int_t)set->multiple), "boxed", set->boxed,
        "default_level", set->boxed ? json_integer(set->default_level) : json_null(), "eps",
        set->eps, "dt", set->dt);
}
