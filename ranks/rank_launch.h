/* SPDX-License-Identifier: MIT */
/* How several ranks are started: by srun inside a Slurm allocation, else by mpirun. */
#ifndef ORR_RANK_LAUNCH_H
#define ORR_RANK_LAUNCH_H

#include <sys/types.h>

enum { ORR_RANK_WORDS = 12 };
struct orr_rank_launch {
    char tool[512]; /* path of mpirun or srun */
    char size[16], program[64], name[64], node[300];
    char *words[ORR_RANK_WORDS]; /* its arguments, ended by NULL */
};

/* The command that starts `size` times `orrery __rank name`, with the executable of this process
 * even if its file was replaced. ORRERY_MPIRUN takes the place of mpirun and srun. ORR_EUNSUPPORTED
 * where there is none. */
int orr_rank_launch_plan(struct orr_rank_launch *out, int size, const char *name);
/* ORR_EUNSUPPORTED with what to install, where ranks cannot be started here. */
int orr_rank_launch_check(void);
/* Starts it; what it says goes to the file `log`. 0 or ORR_EIO. */
int orr_rank_launch_start(pid_t *out, struct orr_rank_launch *launch, int log);

#endif
