# Completion in bash with a live node: its name after -N; the node's probes, modules and functions in descriptions, quoted
# or not; functions as words of their own. Nothing is left on the node.
command -v bash >/dev/null || { echo 'bash is not installed' >&2; exit 67; }
. "$srcdir/lib.sh"
node_start
cat >t.bash <<'END'
. "$srcdir/../../completions/erltrace.bash"
timeout() { shift && "$@"; } # this machine may be busy
t() { # t WORD…: the last is being completed
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	_erltrace "$ERLTRACE"
	printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' '
	echo
}
t erltrace -N "${NODE%?}"
n=(-N "$NODE" --cookie "$COOKIE")
t erltrace "${n[@]}" -n erlang\*:::process-s
t erltrace "${n[@]}" -n "'erlang*:::process-s"
t erltrace "${n[@]}" -n "'lists:keyf"
t erltrace "${n[@]}" -n "'lists:seq/2:"
t erltrace "${n[@]}" -n lists : keyf
t erltrace "${n[@]}" -n gen_serve
t erltrace "${n[@]}" lists : keyf
t erltrace "${n[@]}" "'lists:keyf"
t erltrace "${n[@]}" gen_serve
t erltrace "${n[@]}" no_such_module:
# the option comes after the word, too
t erltrace "${n[@]}" --for ''
# without a node there are none
t erltrace lists:keyf
END
export ERLTRACE NODE COOKIE srcdir
bash t.bash 2>&1 | sed "s/$NODE/NODE/g; s/NODE@[^ ]*/NODE@HOST/"
clean_node
