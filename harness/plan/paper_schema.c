/* The shape of paper.yaml. One row per member of the structs in paper.h; everything unknown is an
 * error. */
#include "plan/paper_parts.h"

enum { NAME_LENGTH = 31, TEXT_LENGTH = 1000 };

#define MUST CYAML_FLAG_POINTER
#define MAY (CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL)

static const cyaml_schema_value_t name_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, NAME_LENGTH)};

/* libcyaml's own booleans take any word for true. */
static const cyaml_strval_t booleans[] = {{"false", 0}, {"true", 1}, {"no", 0}, {"yes", 1}};
#define FIELD_BOOLEAN(key, structure, member) \
    CYAML_FIELD_ENUM(key, CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, structure, member, booleans, 4)

static const cyaml_schema_field_t axis_fields[] = {
    CYAML_FIELD_STRING_PTR("name", MUST, struct orr_axis, name, 1, NAME_LENGTH),
    CYAML_FIELD_STRING_PTR("values", MUST, struct orr_axis, values, 1, TEXT_LENGTH),
    CYAML_FIELD_STRING_PTR("means", MAY, struct orr_axis, means, 1, TEXT_LENGTH), CYAML_FIELD_END};
static const cyaml_schema_value_t axis_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct orr_axis, axis_fields)};

static const cyaml_schema_field_t limit_fields[] = {
    CYAML_FIELD_STRING_PTR("variant", MUST, struct orr_limit, variant, 1, NAME_LENGTH),
    CYAML_FIELD_FLOAT("n", CYAML_FLAG_DEFAULT, struct orr_limit, n),
    CYAML_FIELD_STRING_PTR("on", MAY, struct orr_limit, on, 1, NAME_LENGTH), CYAML_FIELD_END};
static const cyaml_schema_value_t limit_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct orr_limit, limit_fields)};

static const cyaml_schema_field_t preset_fields[] = {
    CYAML_FIELD_STRING_PTR("name", MUST, struct orr_preset, name, 1, NAME_LENGTH),
    CYAML_FIELD_SEQUENCE("axes", MAY, struct orr_preset, axes, &axis_schema, 0, CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE("limits", MAY, struct orr_preset, limits, &limit_schema, 0,
                         CYAML_UNLIMITED),
    CYAML_FIELD_FLOAT("time_limit_s", CYAML_FLAG_OPTIONAL, struct orr_preset, time_limit_s),
    CYAML_FIELD_FLOAT("timeout_s", CYAML_FLAG_OPTIONAL, struct orr_preset, timeout_s),
    CYAML_FIELD_UINT("long_samples", CYAML_FLAG_OPTIONAL, struct orr_preset, long_samples),
    FIELD_BOOLEAN("skip", struct orr_preset, skip),
    CYAML_FIELD_END};
static const cyaml_schema_value_t preset_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct orr_preset, preset_fields)};

static const cyaml_schema_field_t bound_fields[] = {
    CYAML_FIELD_FLOAT("median", CYAML_FLAG_DEFAULT, struct orr_bound, median),
    CYAML_FIELD_FLOAT("p99", CYAML_FLAG_DEFAULT, struct orr_bound, p99),
    CYAML_FIELD_FLOAT("max", CYAML_FLAG_DEFAULT, struct orr_bound, max), CYAML_FIELD_END};

static const cyaml_schema_field_t law_fields[] = {
    CYAML_FIELD_FLOAT("floor", CYAML_FLAG_DEFAULT, struct orr_law, floor),
    CYAML_FIELD_FLOAT("at", CYAML_FLAG_DEFAULT, struct orr_law, at),
    CYAML_FIELD_FLOAT("theta", CYAML_FLAG_DEFAULT, struct orr_law, theta),
    CYAML_FIELD_FLOAT("n", CYAML_FLAG_OPTIONAL, struct orr_law, n), CYAML_FIELD_END};
static const cyaml_schema_value_t setting_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, TEXT_LENGTH)};
static const cyaml_schema_field_t tree_bound_fields[] = {
    CYAML_FIELD_SEQUENCE("variants", MUST, struct orr_tree_bound, variants, &name_schema, 1,
                         CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE("settings", MAY, struct orr_tree_bound, settings, &setting_schema, 0,
                         CYAML_UNLIMITED),
    CYAML_FIELD_FLOAT("up_to", CYAML_FLAG_OPTIONAL, struct orr_tree_bound, up_to),
    CYAML_FIELD_MAPPING("median", CYAML_FLAG_DEFAULT, struct orr_tree_bound, median, law_fields),
    CYAML_FIELD_MAPPING("p99", CYAML_FLAG_DEFAULT, struct orr_tree_bound, p99, law_fields),
    CYAML_FIELD_MAPPING("max", CYAML_FLAG_DEFAULT, struct orr_tree_bound, max, law_fields),
    CYAML_FIELD_END};
static const cyaml_schema_value_t tree_bound_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct orr_tree_bound, tree_bound_fields)};

static const cyaml_schema_field_t experiment_fields[] = {
    CYAML_FIELD_STRING_PTR("name", MUST, struct orr_experiment, name, 1, NAME_LENGTH),
    CYAML_FIELD_STRING_PTR("shows", MUST, struct orr_experiment, shows, 1, TEXT_LENGTH),
    CYAML_FIELD_STRING_PTR("title", MUST, struct orr_experiment, title, 1, TEXT_LENGTH),
    CYAML_FIELD_STRING_PTR("layout", MUST, struct orr_experiment, layout, 1, NAME_LENGTH),
    CYAML_FIELD_STRING_PTR("note", MAY, struct orr_experiment, note, 1, TEXT_LENGTH),
    CYAML_FIELD_STRING_PTR("cells", MAY, struct orr_experiment, cells, 1, NAME_LENGTH),
    CYAML_FIELD_SEQUENCE("axes", MUST, struct orr_experiment, axes, &axis_schema, 1,
                         CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE("baselines", MAY, struct orr_experiment, baselines, &name_schema, 0,
                         CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE("phases", MAY, struct orr_experiment, phases, &name_schema, 0,
                         CYAML_UNLIMITED),
    CYAML_FIELD_MAPPING_PTR("bound", MAY, struct orr_experiment, bound, bound_fields),
    CYAML_FIELD_UINT("targets", CYAML_FLAG_OPTIONAL, struct orr_experiment, targets),
    FIELD_BOOLEAN("keep_bodies", struct orr_experiment, keep_bodies),
    FIELD_BOOLEAN("counts", struct orr_experiment, counts),
    FIELD_BOOLEAN("trajectory", struct orr_experiment, trajectory),
    FIELD_BOOLEAN("error_curve", struct orr_experiment, error_curve),
    FIELD_BOOLEAN("energy", struct orr_experiment, energy),
    FIELD_BOOLEAN("telling", struct orr_experiment, telling),
    CYAML_FIELD_SEQUENCE("presets", MAY, struct orr_experiment, presets, &preset_schema, 0,
                         CYAML_UNLIMITED),
    CYAML_FIELD_END};
static const cyaml_schema_value_t experiment_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct orr_experiment, experiment_fields)};

static const cyaml_schema_field_t knob_fields[] = {
    CYAML_FIELD_STRING_PTR("name", MUST, struct orr_knob_range, name, 1, NAME_LENGTH),
    CYAML_FIELD_STRING_PTR("values", MUST, struct orr_knob_range, values, 1, TEXT_LENGTH),
    CYAML_FIELD_STRING_PTR("on", MAY, struct orr_knob_range, on, 1, NAME_LENGTH), CYAML_FIELD_END};
static const cyaml_schema_value_t knob_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct orr_knob_range, knob_fields)};

static const cyaml_schema_field_t variant_fields[] = {
    CYAML_FIELD_STRING_PTR("name", MUST, struct orr_paper_variant, name, 1, NAME_LENGTH),
    CYAML_FIELD_STRING_PTR("label", MUST, struct orr_paper_variant, label, 0, TEXT_LENGTH),
    CYAML_FIELD_SEQUENCE("in", MUST, struct orr_paper_variant, in, &name_schema, 0,
                         CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE("knobs", MAY, struct orr_paper_variant, knobs, &knob_schema, 0,
                         CYAML_UNLIMITED),
    CYAML_FIELD_END};
static const cyaml_schema_value_t variant_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct orr_paper_variant, variant_fields)};

static const cyaml_schema_field_t paper_fields[] = {
    CYAML_FIELD_STRING_PTR("paper", MUST, struct orr_paper, key, 1, NAME_LENGTH),
    CYAML_FIELD_STRING_PTR("title", MUST, struct orr_paper, title, 1, TEXT_LENGTH),
    CYAML_FIELD_STRING_PTR("authors", MUST, struct orr_paper, authors, 1, TEXT_LENGTH),
    CYAML_FIELD_STRING_PTR("venue", MUST, struct orr_paper, venue, 1, TEXT_LENGTH),
    CYAML_FIELD_UINT("year", CYAML_FLAG_OPTIONAL, struct orr_paper, year),
    CYAML_FIELD_FLOAT("flops_per_interaction", CYAML_FLAG_DEFAULT, struct orr_paper,
                      flops_per_interaction),
    CYAML_FIELD_SEQUENCE("variants", MUST, struct orr_paper, variants, &variant_schema, 1,
                         CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE("tree_bounds", MAY, struct orr_paper, tree_bounds, &tree_bound_schema, 0,
                         CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE("experiments", MUST, struct orr_paper, experiments, &experiment_schema, 1,
                         CYAML_UNLIMITED),
    CYAML_FIELD_END};
const cyaml_schema_value_t orr_paper_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct orr_paper, paper_fields)};
