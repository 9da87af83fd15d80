#include "run/worker_energy.h"

#include <stdio.h>
#include <string.h>

#include "error.h"

double orr_cell_run_potential(const struct orr_bodies *bodies, const struct orr_forces *forces)
{
    double sum = 0;
    for (size_t i = 0; i < bodies->n; i++)
        sum += 0.5 * bodies->mass[i] * forces->phi[i];
    return sum;
}

/* The run's settings with steps = 0. Returns how many there are. */
static int settings_at_rest(struct orr_setting out[ORR_MAX_SETTINGS + 1],
                            const struct orr_cell_run *run)
{
    int count = 0;
    for (int k = 0; k < run->setting_count; k++)
        if (strcmp(run->settings[k].name, "steps") != 0)
            out[count++] = run->settings[k];
    out[count] = (struct orr_setting){.name = "steps", .value = "0"};
    return count + 1;
}

int orr_cell_run_energy(struct orr_cell_run *run)
{
    if (run->steps == 0 || run->bodies->n <= ORR_ENERGY_LIMIT || !run->forces.has_phi)
        return 0;
    orr_cell_run_shutdown(run);
    struct orr_setting settings[ORR_MAX_SETTINGS + 1];
    struct orr_cell_run start = {.cache = run->cache,
                                 .variant = run->variant,
                                 .device = run->device,
                                 .bodies = run->bodies,
                                 .sha256 = run->sha256,
                                 .settings = settings,
                                 .setting_count = settings_at_rest(settings, run),
                                 .bound = run->bound,
                                 .targets = run->targets};
    int code = orr_cell_run_configure(&start);
    if (!code)
        code = orr_cell_run_prepare(&start);
    if (!code)
        code = orr_cell_run_step(&start);
    if (!code)
        code = orr_cell_run_fetch(&start);
    if (!code)
        code = orr_cell_run_verify(&start);
    if (!code) {
        run->start.energy = run->start.kinetic + orr_cell_run_potential(run->bodies, &start.forces);
        run->end.energy = run->end.kinetic + orr_cell_run_potential(run->bodies, &run->forces);
    }
    orr_cell_run_release(&start);
    run->own_s += start.own_s;
    return code ? orr_error_context("the energy at the start") : 0;
}
