# SPDX-License-Identifier: MIT
# Limits that end what hangs; they measure nothing, so a machine with other work has more of them.
# patience SECONDS: twice as many on a machine with nothing else to do, more where more programs than cores ran in the last minute or
# run now, which the load of a test that has just begun does not say yet.
patience() {
    local load running _
    read -r load _ _ running _ </proc/loadavg
    load=${load%.*} running=${running%/*}
    echo $(($1 * (2 + (load > running ? load : running) / $(nproc))))
}
# wait_for COMMAND...: until it succeeds, which something that hangs never lets it.
wait_for() {
    local ends=$((SECONDS + $(patience 20)))
    until "$@"; do
        [ $SECONDS -lt $ends ] || return 1
        sleep 0.02
    done
}
