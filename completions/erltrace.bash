# Completion of erltrace in bash: options, nodes, probes and ready-made scripts.

# The node and the cookie that the line names so far, as options.
_erltrace_node() {
	local i
	for ((i = 1; i < ${#COMP_WORDS[@]} - 1; i++)); do
		case ${COMP_WORDS[i]} in
		-N | --cluster | --cookie) [[ -n ${COMP_WORDS[i + 1]} && $((i + 1)) -ne $COMP_CWORD ]] && printf '%s\n%s\n' "${COMP_WORDS[i]}" "${COMP_WORDS[i + 1]}" ;;
		esac
	done
}

_erltrace_probes() {
	local -a node
	mapfile -t node < <(_erltrace_node)
	echo BEGIN END ERROR tick-1s profile-97
	case " ${node[*]} " in
	*" -N "* | *" --cluster "*) timeout 5 "$1" "${node[@]}" -l -P 'erlang*' 2>/dev/null </dev/null | awk 'NR > 1 && NF == 3 { print "erlang*:::" $3 }' ;;
	*) echo syscall::: sched::: proc::: io::: tcp::: udp::: fsinfo::: fbt::: sysinfo::: vminfo::: lockstat::: ;;
	esac
}

_erltrace_scripts() {
	timeout 5 "$1" scripts 2>/dev/null | awk '/^  / { print $1 }'
}

_erltrace() {
	local command=$1 current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=
	# readline breaks words at colons: the whole description is put together again
	local whole=$current i=$COMP_CWORD
	while ((i > 1)) && [[ ${COMP_WORDS[i]} == :* || ${COMP_WORDS[i - 1]} == *: ]]; do
		((i--))
		whole=${COMP_WORDS[i]}$whole
		before=${COMP_WORDS[i - 1]}
	done
	COMPREPLY=()
	case $before in
	-N | --node | --cluster) words=$(timeout 5 "$command" -N 2>/dev/null | awk 'NR > 1 { print $1; sub(/@.*/, "", $1); print $1 }') ;;
	-n | -P | -m | -f) words=$(_erltrace_probes "$command") ;;
	-s | -o | export | --check) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
	-I | -L | --scripts) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
	-c) mapfile -t COMPREPLY < <(compgen -c -- "$current") ;;
	-p) words=$(ps -eo pid=) ;;
	--by) words='process function' ;;
	--sort) words='run sent got queue gc gctime rate value key' ;;
	--for | --interval) words='1s 5s 10s 1m' ;;
	-b | -D | -U | -i | -x | -X | --alert | --cookie | --count) ;;
	scripts) words=$(_erltrace_scripts "$command") ;;
	*)
		if [[ $current == -* ]]; then
			words='-b -c -C -D -e -f -F -H -i -I -l -L -m -n -N -o -p -P -q -s -S -U -v -V -w -x -X -Z
				 --alert --by --cluster --compile-only --cookie --count --dist-opts --for --heatmap --help --hidden --interval --join --json --scripts --sort --top --version'
		else
			words="top scripts serve export $(_erltrace_scripts "$command")"
			mapfile -t COMPREPLY < <(compgen -f -X '!*.dobj' -- "$current")
		fi
		;;
	esac
	# a star in a probe's name is no glob here
	if [[ -n $words ]]; then
		local word had=${whole%"$current"}
		while read -r word; do
			[[ -n $word && $word == "$whole"* ]] && COMPREPLY+=("${word#"$had"}")
		done < <(tr -s ' \t' '\n' <<<"$words")
	fi
}
complete -F _erltrace erltrace
