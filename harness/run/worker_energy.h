/* The energy of more bodies than all pairs can be summed of, from a variant's own potentials. */
#ifndef ORR_WORKER_ENERGY_H
#define ORR_WORKER_ENERGY_H

#include "run/cell_run.h"

/* sum m phi / 2, phi as the variant computed it. */
double orr_cell_run_potential(const struct orr_bodies *bodies, const struct orr_forces *forces);
/* Fills in the energies of the run's totals, kinetic plus potential: at the end from what was
 * fetched last, at the start from one evaluation of the same variant with steps = 0, which is
 * verified. The run has been measured and verified; its variant is dismissed first, so that two
 * never share a device's memory. Does nothing where the energy is known of all pairs, nothing
 * moves, or the variant has no potential. */
int orr_cell_run_energy(struct orr_cell_run *run);

#endif
