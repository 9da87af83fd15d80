#include "run/worker.h"

#include "cli/cli.h"

int orr_cli_worker(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    int status = orr_worker_serve();
    orr_cli_report_error();
    return status;
}
