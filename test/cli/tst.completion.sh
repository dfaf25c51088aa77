# Completion in bash offers options, scripts, words and probes, splits descriptions where readline does, and works behind an
# opening quote. The completion for zsh is valid. Nodes: test/erlang/tst.completion.sh.
# @@timeout: 60
command -v bash >/dev/null || { echo 'bash is not installed' >&2; exit 67; }
cat >t.bash <<'END'
. "$srcdir/../../completions/erltrace.bash"
t() { # t WORD…: the last is being completed
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	_erltrace "$ERLTRACE"
	printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' '
	echo
}
complete -p erltrace
t erltrace --he
t erltrace wak
t erltrace scripts mess
t erltrace to
t erltrace -n BE
t erltrace -n syscall : ''
t erltrace -n "'syscall:"
t erltrace -n '"BE'
t erltrace -qn BEGIN -x bufs
t erltrace serv
t erltrace serve --tls
t erltrace export --ch
t erltrace --by fu
t erltrace --sort ra
touch x.dobj x.txt
t erltrace x
t erltrace -s x.t
END
export ERL_EPMD_PORT=1
bash t.bash
if command -v zsh >/dev/null; then
	zsh -n "$srcdir/../../completions/_erltrace" || echo 'that of zsh is not valid'
fi
exit 0
