/* SPDX-License-Identifier: MIT */
#include "ranks/rank_launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "error.h"
#include "paths.h"
#include "process.h"
#include "ranks/mpi.h"

static int choose_tool(struct orr_rank_launch *out, bool *slurm)
{
    const char *chosen = getenv("ORRERY_MPIRUN"), *job = getenv("SLURM_JOB_ID");
    *slurm = !chosen && job && *job && orr_paths_find_tool(out->tool, sizeof out->tool, "srun");
    if (chosen && access(chosen, X_OK))
        return orr_fail(ORR_EUNSUPPORTED, "ORRERY_MPIRUN: %s: %s", chosen, strerror(errno));
    if (chosen)
        snprintf(out->tool, sizeof out->tool, "%s", chosen);
    if (chosen || *slurm || orr_paths_find_tool(out->tool, sizeof out->tool, "mpirun"))
        return 0;
    return orr_fail(ORR_EUNSUPPORTED, "ranks are started by mpirun, and there is none in PATH "
                                      "(Debian: openmpi-bin)");
}

int orr_rank_launch_check(void)
{
    struct orr_rank_launch launch;
    bool slurm;
    int code = orr_ranks_mpi_present();
    return code ? code : choose_tool(&launch, &slurm);
}

int orr_rank_launch_plan(struct orr_rank_launch *out, int size, const char *name)
{
    bool slurm;
    const char *node = getenv("SLURMD_NODENAME"); /* the one of the allocation's that this is */
    int code = choose_tool(out, &slurm), used = 0;
    if (code)
        return code;
    snprintf(out->size, sizeof out->size, "%d", size);
    snprintf(out->program, sizeof out->program, "/proc/%d/exe", (int)getpid());
    snprintf(out->name, sizeof out->name, "%s", name);
    /* Ranks share memory with who starts them: one machine. */
    static char srun[] = "srun", nodes[] = "--nodes=1", cores[] = "--cpu-bind=none",
                ends[] = "--kill-on-bad-exit=1", mpirun[] = "mpirun", count[] = "-n",
                role[] = "__rank";
    out->words[used++] = slurm ? srun : mpirun;
    out->words[used++] = count;
    out->words[used++] = out->size;
    if (slurm) {
        out->words[used++] = nodes;
        out->words[used++] = cores;
        out->words[used++] = ends;
        snprintf(out->node, sizeof out->node, "--nodelist=%s", node ? node : "");
        if (node && *node)
            out->words[used++] = out->node;
    }
    out->words[used++] = out->program;
    out->words[used++] = role;
    out->words[used++] = out->name;
    out->words[used] = NULL;
    return 0;
}

static void set_unless_chosen(const char *const variables[][2], size_t count)
{
    for (size_t k = 0; k < count; k++)
        setenv(variables[k][0], variables[k][1], 0);
}

/* Does srun here connect no MPI, unless it is told which? Open MPI, and most others, speak PMIx. */
static bool connects_nothing(void)
{
    char tool[PATH_MAX], line[1024];
    bool none = false;
    FILE *config = orr_paths_find_tool(tool, sizeof tool, "scontrol")
                       ? popen("scontrol show config", "re")
                       : NULL;
    for (int at = 0; config && fgets(line, sizeof line, config); at = 0)
        none |= sscanf(line, "MpiDefault = none%n", &at) == 0 && at;
    return config && !pclose(config) && none;
}

/* Ranks share what their allocation has, devices and cores, also where this process is a step of
 * it or asked for one task. */
static void choose_allocation(void)
{
    static const char *const variables[][2] = {
        {"SLURM_OVERLAP", "1"}, {"SLURM_OVERCOMMIT", "1"}, {"SLURM_GPU_BIND", "none"}};
    set_unless_chosen(variables, sizeof variables / sizeof *variables);
    if (!getenv("SLURM_MPI_TYPE") && connects_nothing())
        setenv("SLURM_MPI_TYPE", "pmix", 1);
}

/* Each rank may use all cores, since its device wants threads; root may start ranks, as everything
 * else; and on one machine ranks need no network, whose absence some containers make an error. Of
 * Open MPI 4 and 5; other MPIs pass over them. */
static void choose_surroundings(int size)
{
    static const char *const variables[][2] = {
        {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
        {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
        {"PRTE_ALLOW_RUN_AS_ROOT", "1"},
        {"PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
        {"OMPI_MCA_hwloc_base_binding_policy", "none"},
        {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
        {"PRTE_MCA_hwloc_default_binding_policy", "none"},
        {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
        {"OMPI_MCA_pml", "ob1"},
        {"OMPI_MCA_btl", "self,vader"},
        {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"}};
    set_unless_chosen(variables, sizeof variables / sizeof *variables);
    /* Who waits for others lets them work, where not all have cores to spare. */
    setenv("OMPI_MCA_mpi_yield_when_idle", 2 * size > get_nprocs() ? "1" : "0", 0);
}

/* Between fork and exec: only async-signal-safe calls. */
static _Noreturn void become(const struct orr_rank_launch *launch, int null, int log)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    if (dup2(null, STDIN_FILENO) >= 0 && dup2(log, STDOUT_FILENO) >= 0 &&
        dup2(log, STDERR_FILENO) >= 0)
        execv(launch->tool, launch->words);
    _exit(127);
}

int orr_rank_launch_start(pid_t *out, struct orr_rank_launch *launch, int log)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    choose_surroundings(atoi(launch->size));
    if (!strcmp(launch->words[0], "srun"))
        choose_allocation();
    setenv("GOMP_SPINCOUNT", "20000", 1); /* as of any worker (child.c) */
    *out = null < 0 ? -1 : orr_process_fork();
    if (*out == 0)
        become(launch, null, log);
    int error = errno;
    if (null >= 0)
        close(null);
    return *out > 0 ? 0 : orr_fail(ORR_EIO, "cannot start %s: %s", launch->tool, strerror(error));
}
