#include "present/work.h"

#include <math.h>

#include "present/figures.h"

/* Multiply-adds a second that the device was measured to do; NAN when it was not. */
static int peak_of(double *out, const struct orr_scope *scope, const struct orr_result *result)
{
    int code = orr_ledger_numbers(
        out, 1, scope->ledger,
        "SELECT fma_per_second FROM device_ceiling WHERE machine = ? AND device = ?", "ss",
        scope->machine, result->device);
    return code < 0 ? code : 0;
}

/* What the rates are computed from. */
struct parts {
    double node, leaf, bytes[2]; /* of one evaluation */
    double nodes_s, leaves_s, walk_s, walks_s[2];
    double flops, peak;
};

static int load_parts(struct parts *out, const struct orr_time_splitter *splitter,
                      const struct orr_result *result)
{
    const struct {
        const char *name;
        double *to;
    } figures[] = {{"node interactions", &out->node},
                   {"leaf interactions", &out->leaf},
                   {"walk 1 bytes", &out->bytes[0]},
                   {"walk 2 bytes", &out->bytes[1]}},
      phases[] = {{"nodes", &out->nodes_s},
                  {"leaves", &out->leaves_s},
                  {"walk", &out->walk_s},
                  {"walk 1", &out->walks_s[0]},
                  {"walk 2", &out->walks_s[1]}};
    double calls = result->steps + 1;
    int code = peak_of(&out->peak, splitter->scope, result);
    for (size_t k = 0; k < sizeof figures / sizeof *figures && !code; k++) {
        code = orr_figure_of(figures[k].to, splitter->scope, result, figures[k].name);
        *figures[k].to /= calls;
    }
    for (size_t k = 0; k < sizeof phases / sizeof *phases && !code; k++)
        code = orr_time_of_phase(phases[k].to, splitter, result, phases[k].name);
    out->flops = result->gflops * 1e9 * result->seconds / calls;
    return code;
}

int orr_work_of(struct orr_work *out, const struct orr_time_splitter *splitter,
                const struct orr_result *result)
{
    struct parts p;
    for (int k = 0; k < ORR_WORK_KINDS; k++)
        out->of[k] = NAN;
    if (!result->ok || result->extrapolated)
        return 0;
    int code = load_parts(&p, splitter, result);
    if (!code)
        code = orr_figure_of(&out->of[ORR_WORK_PER_GROUP], splitter->scope, result,
                             "bodies per group");
    if (!code)
        code = orr_figure_of(&out->of[ORR_WORK_ACTIVE], splitter->scope, result, "active threads");
    if (code)
        return code;
    double leaf_flops = splitter->scope->paper->flops_per_interaction * p.leaf;
    double both_s = isnan(p.nodes_s) ? p.walk_s : p.nodes_s + p.leaves_s;
    out->of[ORR_WORK_NODE_GFLOPS] = (p.flops - leaf_flops) / p.nodes_s / 1e9;
    out->of[ORR_WORK_LEAF_GFLOPS] = leaf_flops / p.leaves_s / 1e9;
    out->of[ORR_WORK_BOTH_GFLOPS] = p.flops / both_s / 1e9;
    out->of[ORR_WORK_PEAK_SHARE] = p.flops / both_s / (2 * p.peak);
    out->of[ORR_WORK_NODE_RATE] = p.node / p.nodes_s;
    out->of[ORR_WORK_LEAF_RATE] = p.leaf / p.leaves_s;
    for (int walk = 0; walk < 2; walk++)
        out->of[ORR_WORK_WALK_1 + walk] = p.bytes[walk] / p.walks_s[walk];
    for (int k = 0; k < ORR_WORK_KINDS; k++)
        if (!isfinite(out->of[k]))
            out->of[k] = NAN;
    return 0;
}
