# patience SECONDS: so many on a machine with nothing else to do, and more where more programs than cores want to run.
patience() {
    local load _
    read -r load _ </proc/loadavg
    echo $(($1 * (1 + ${load%.*} / $(nproc))))
}
