# bash completion for orrery, from what its help says of a command and from what `orrery list` has; elsewhere files may stand.
_orrery() {
    local orrery=${COMP_WORDS[0]/#\~/$HOME} command=("${COMP_WORDS[@]:1:COMP_CWORD-1}") last=${COMP_WORDS[COMP_CWORD]}
    local before=${COMP_WORDS[COMP_CWORD - 1]} help usage options takes words='' kind
    first_words() { sed -n 's/^  \([a-z]*\) .*/\1/p'; }
    names() { for kind; do "$orrery" list "$kind" | sed -n '2,$ s/ .*//p'; done; }
    command=("${command[@]:0:$([[ ${command[0]-} = dataset ]] && echo 2 || echo 1)}")
    if [[ ! ${command[*]} || ${command[*]} = help ]]; then
        words="$("$orrery" help | first_words) help"
    elif [[ ${command[*]} = dataset ]]; then
        words=$("$orrery" dataset --help | first_words)
    else
        help=$("$orrery" "${command[@]}" --help)
        usage=$(sed -n 's/^usage: orrery //p; s/^ *orrery //p' <<<"$help" | sed "s/^${command[*]} *//; s/-.*//")
        options=$(sed -n 's/^  -/ -/p' <<<"$help" | grep -oE '(^|,) (-., )?--[A-Za-z-]+( [^ ,]+)?' | sed -E 's/^,? ((-.), )?(--[^ ]*)(.*)/\3\4\n\2\4/')
        takes=$(sed -n "s/^$before \(.\)/\1/p" <<<"$options")
        if [[ $before = -m || $before = --machine ]]; then
            words=$(names machines)
        elif [[ $before = --device ]]; then
            words='cuda opencl gpu cpu host all'
        elif [[ $takes ]]; then
            [[ $takes =~ ^[a-z|]+$ ]] && words=${takes//|/ }
        elif [[ $last = -* ]]; then
            words="$(sed -n 's/^\(--[^ ]*\).*/\1/p' <<<"$options") --help"
        else
            [[ $usage =~ ^\[?([a-z|]+\|[a-z|]+) ]] && words=${BASH_REMATCH[1]//|/ }
            [[ $usage =~ WHAT|EXPERIMENT|PAPER|VARIANT|NAME ]] && words+=" $(names papers experiments variants)"
            [[ $usage =~ CLAIM|WHAT|NAME ]] && words+=" $("$orrery" list claims | awk 'NR > 1 {print $2}')"
            [[ " $usage" =~ ' NAME' ]] && words+=" $(names datasets)"
        fi
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$last")
}
complete -o default -F _orrery orrery
