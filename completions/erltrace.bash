# Completion of erltrace in bash: options, nodes, probes, functions of a node, and ready-made scripts.

# The node and the cookie that the line names so far, as options.
_erltrace_node() {
	local i
	for ((i = 1; i < ${#COMP_WORDS[@]} - 1; i++)); do
		case ${COMP_WORDS[i]} in
		-N | --cluster | --cookie) [[ -n ${COMP_WORDS[i + 1]} && $((i + 1)) -ne $COMP_CWORD ]] && printf '%s\n%s\n' "${COMP_WORDS[i]}" "${COMP_WORDS[i + 1]}" ;;
		esac
	done
}

# Functions of the node as far as $2 names them: lists: has its functions, li the modules. $3 is what follows each.
_erltrace_functions() {
	local -a node
	mapfile -t node < <(_erltrace_node)
	case " ${node[*]} " in
	*" -N "* | *" --cluster "*) ;;
	*) return ;;
	esac
	case $2 in
	*:*) timeout 5 "$1" "${node[@]}" -l -n "${2%%:*}:*:entry" 2>/dev/null </dev/null |
		awk -v end="$3" -v all="$([[ $3 && $2 == */*: ]] && echo yes)" 'NR > 1 && NF == 5 {
			print $3 ":" $4 end
			if (all) print $3 ":" $4 ":return\n" $3 ":" $4 ":exception"
		}' ;;
	?*) timeout 5 "$1" "${node[@]}" -l -n '*:module_info/0:entry' 2>/dev/null </dev/null |
		awk 'NR > 1 && NF == 5 { sub(/^Elixir\./, "", $3); print $3 ":" }' ;;
	esac
}

_erltrace_probes() {
	local -a node
	mapfile -t node < <(_erltrace_node)
	echo BEGIN END ERROR tick-1s profile-97
	case " ${node[*]} " in
	*" -N "* | *" --cluster "*)
		timeout 5 "$1" "${node[@]}" -l -P 'erlang*' 2>/dev/null </dev/null | awk 'NR > 1 && NF == 3 { print "erlang*:::" $3 }'
		[[ $2 == erlang\** ]] || _erltrace_functions "$1" "$2" :entry
		;;
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
	# readline keeps the quote that a word begins with, and adds the one that it ends with
	whole=${whole#[\'\"]} current=${current#[\'\"]}
	COMPREPLY=()
	local first=
	((COMP_CWORD > 1)) && first=${COMP_WORDS[1]}
	case $first/$before in
	*/-N | */--node | */--cluster) words=$(timeout 5 "$command" -N 2>/dev/null | awk 'NR > 1 { print $1; sub(/@.*/, "", $1); print $1 }') ;;
	serve/* | export/*)
		if [[ $current == -* ]]; then
			words=$(timeout 5 "$command" "$first" --help 2>/dev/null | sed 's/^  *//; s/  .*//' | grep -Eo -e '--?[a-z][a-z-]*')
		else
			mapfile -t COMPREPLY < <(compgen -f -- "$current")
		fi
		;;
	*/-n | */-P | */-m | */-f) words=$(_erltrace_probes "$command" "$whole") ;;
	*/-s | */-o) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
	*/-I | */-L | */--scripts) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
	*/-c) mapfile -t COMPREPLY < <(compgen -c -- "$current") ;;
	*/-p) words=$(ps -eo pid=) ;;
	*/-x)
		words='agghist aggpack aggpercpu aggrate aggsize aggsortkey aggsortkeypos aggsortpos aggsortrev aggzoom amin argref bpflog
			bpflogsize bufpolicy bufresize bufsize cleanrate core counters countpart cpp cppargs cpphdrs cpppath cpu ctypes
			debug defaultargs define destructive disasm distopts droptags dtypes dynvarsize empty encoding engine errtags
			evaltime flowindent incdir iregs join jstackframes jstackstrsize kdefs knodefs late lazyload ldpath libdir linkmode
			linktype lockmem maxfire maxframes maxoverhead mergeabove modpath nodedir nolibs noresolve nspec pgmax pidnames
			preallocate printsize procfspath pspec quiet quietresize rawbytes rawtext sample scratchsize setenv specsize
			stackframes stackindent statusrate stdc strip strsize switchrate syslibdir sysslice temporal termbytes termparts
			tree tregs udefs undef unodefs unsetenv useruid ustackframes verbose version zdefs'
		;;
	*/--by) words='process function' ;;
	*/--sort) words='run sent got queue gc gctime rate value key' ;;
	*/--for | */--interval) words='1s 5s 10s 1m' ;;
	*/-b | */-D | */-U | */-i | */-X | */--alert | */--cookie | */--count | */--dist-opts) ;;
	*/scripts) words=$(_erltrace_scripts "$command") ;;
	*)
		if [[ $current == -* ]]; then
			words='-b -c -C -D -e -f -F -H -i -I -l -L -m -n -N -o -p -P -q -s -S -U -v -V -w -x -X -Z
				 --alert --by --cluster --compile-only --cookie --count --dist-opts --for --heatmap --help --hidden --interval --join --json --scripts --sort --top --version'
		else
			words="top scripts serve export $(_erltrace_scripts "$command") $(_erltrace_functions "$command" "$whole")"
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
	# a module is not the whole of it
	[[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[!:]: ]] && compopt -o nospace 2>/dev/null
	return 0
}
complete -F _erltrace erltrace
