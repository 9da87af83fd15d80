# bash completion for orrery. The program says what may stand in the place of the last word; where it knows nothing, files may.
_orrery() {
    mapfile -t COMPREPLY < <("${COMP_WORDS[0]/#\~/$HOME}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _orrery orrery
