#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#include "error.h"
#include "run/referee.h"
#include "run/worker.h"

int orr_cli_report_error(void)
{
    fprintf(stderr, "orrery: %s\n",
            orr_error_code() ? orr_error_text() : "failed without a message");
    return orr_error_code() ? orr_error_exit(orr_error_code()) : ORR_EXIT_SOME_FAILED;
}

int orr_cli_status(int code)
{
    return code < 0 ? orr_cli_report_error() : ORR_EXIT_OK;
}

int orr_cli_worker(int argc, char **argv)
{
    (void)argc;
    int status = strcmp(argv[0], "__referee") ? orr_worker_serve() : orr_referee_serve();
    orr_cli_report_error();
    return status;
}
