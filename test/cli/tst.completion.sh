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

# In zsh keys are pressed on a terminal: the line is shown as it is after the key for completion. What several things begin
# with is completed as far as they agree.
command -v zsh >/dev/null || { echo 'zsh is not installed' >&2; exit 67; }
zsh -n "$srcdir/../../completions/_erltrace" || echo 'that of zsh is not valid'
PATH=$(dirname "$ERLTRACE"):$PATH
export PATH srcdir
cat >setup.zsh <<'END'
fpath=("$srcdir/../../completions" $fpath)
autoload -Uz compinit && compinit -D -u
timeout() { shift && "$@" } # this machine may be busy
zstyle ':completion:*' verbose no
setopt no_list_ambiguous no_auto_menu no_auto_list no_beep
complete_and_show() {
	zle complete-word
	print -r -- "[$BUFFER]" >>lines
	BUFFER=
}
zle -N complete_and_show
bindkey '^T' complete_and_show
print ready >>lines
END
cat >t.zsh <<'END'
zmodload zsh/zpty || exit 1
: >lines
zpty shell zsh -f -i
wait_for() { # wait_for N: lines, for at most half a minute
	local i said
	for ((i = 0; i < 600 && $(wc -l <lines) < $1; i++)); do
		zpty -r -t shell said # so that it does not wait for a reader
		sleep 0.05
	done
}
zpty -w shell '. ./setup.zsh'
wait_for 1
n=1
for line in 'erltrace --compile-o' 'erltrace wak' 'erltrace scri' 'erltrace -x bufs' 'erltrace -n sysc' 'erltrace -qn END -o' 'erltrace --sort ra' 'erltrace serve --tls-c' \
	'erltrace --by fu'; do
	zpty -w -n shell "$line"$'\C-t'
	wait_for $((++n))
done
cat lines
zpty -d shell
END
TERM=xterm zsh -f t.zsh
