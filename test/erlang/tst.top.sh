# top on a node that does known things: the busy process and its function run most, messages are counted, also those that
# wait in a queue, the name is shown beside the pid, calls of functions have a rate; on a terminal it takes keys. Nothing
# is left.
# @@timeout: 300
. "$srcdir/lib.sh"
node_start -eval 'register(busy, spawn(fun F() -> lists:reverse(lists:seq(1, 3000)), F() end)), P = spawn(fun G() -> receive _ -> G() end end), register(sink, P),
	Full = spawn(fun() -> receive never -> ok end end), register(full, Full), [Full ! N || N <- lists:seq(1, 321)],
	register(source, spawn(fun H() -> timer:sleep(2), sink ! hello, H() end)).'
fail() {
	echo "$*" >&2
	cat out >&2
	exit 1
}
n=0
until trace --for 4s top >out 2>err && grep -Eq '^<0\.[0-9]+\.0> busy +[0-9.]+ .*lists:' out; do # on a busy machine names come late
	n=$((n + 1))
	[ $n -lt 5 ] || fail "the busy process is not there with its name and function: $(cat err)"
done
[ -s err ] && fail "complains: $(cat err)"
awk '$2 == "busy" { b = $3 } END { exit !(b > 5) }' out || fail 'the busy process does not run'
grep -Eq '^<0\.[0-9]+\.0> source .* [0-9.]+' out && grep -Eq '^<0\.[0-9]+\.0> sink .* [0-9.]+' out || fail 'no messages'
# until_shown SORT REGEX: the first line below the head matches, in one of the looks
until_shown() {
	n=0
	until trace --for 4s top --sort "$1" >out 2>err && grep -A1 '^PROCESS' out | grep -Eq "$2"; do
		n=$((n + 1))
		[ $n -lt 5 ] || fail "not sorted by $1: $(cat err)"
	done
}
until_shown queue '^<0\.[0-9]+\.0> full +321$'
until_shown got '^<0\.[0-9]+\.0> [a-z]'
trace --for 6s top --by function >out 2>err || fail "status $?: $(cat err)"
awk '$1 ~ /^lists:/ && $2 > 1 { ran = 1 } $1 ~ /^lists:(seq|reverse)/ && NF == 3 { called = 1 } END { exit !(ran && called) }' out || fail 'no functions, or no calls'
trace top --by nosuch 2>&1
trace top --sort rate 2>&1
trace top extra 2>&1
"$ERLTRACE" top 2>&1 | sed 's/; .*//'

# a terminal: keys change what is shown
command -v script >/dev/null && script --version >/dev/null 2>&1 || { echo 'script(1) is not installed' >&2; exit 67; }
mkfifo keys
: >screen
TERM=xterm ERLTRACE_COOKIE=$COOKIE script -qefc "stty rows 24 cols 110; stty -g >before; '$ERLTRACE' -N $NODE top --interval 300ms; echo \"status \$?\" >status; stty -g >after" screen <keys >/dev/null 2>&1 &
script_pid=$!
exec 3>keys
seen() {
	i=0
	until grep -aqF -e "$1" screen; do
		i=$((i + 1))
		[ $i -lt 600 ] || { echo "not seen: $1"; return; }
		sleep 0.1
	done
}
seen 'PROCESS'
seen ' busy'
printf f >&3
seen 'FUNCTION'
printf q >&3
exec 3>&-
wait $script_pid
cat status
cmp before after && echo 'as it was'
echo "after: $(clean_node)"
