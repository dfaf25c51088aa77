# Ready-made scripts can be run by name. They are listed with the question that they answer and whether they cost much, run
# without a file (the command itself carries them), have their arguments checked and explained, and a folder given by the
# user comes first.
# @@timeout: 60
cp "$ERLTRACE" erltrace
PATH=$PWD:$PATH
ERL_EPMD_PORT=1
export PATH ERL_EPMD_PORT
erltrace scripts >list
for f in "$srcdir"/../../scripts/*.d; do
	n=$(basename "$f" .d)
	grep -Eq "^  $n .*[?]( Costs .*[.])?\$" list || echo "not listed with a question: $n"
	erltrace scripts "$n" | grep -q '^Cost: .' || echo "does not say what it costs: $n"
done
# What was measured to take 5 % and more says so, also in the list.
awk -F'|' '/^## /{ on = $0 == "## A real system" || $0 == "## Counting all functions" }
	on && $2 ~ /^ *[a-z-]+[.]d *$/ && match($4, /[+][0-9]+ %/) && substr($4, RSTART + 1) + 0 >= 5 { gsub(/[ ]|[.]d/, "", $2); print $2 }' \
	"$srcdir/../../docs/performance.md" | sort -u >measured
[ "$(wc -l <measured)" -ge 15 ] || echo 'no table of what scripts cost'
for n in $(cat measured) function-calls function-profile function-time process-syscalls lock-waits request-syscalls; do
	grep -Eq "^  $n .*[?] Costs [^.]*%" list || echo "the list does not say that it costs much: $n"
	erltrace scripts "$n" | head -n 1 | cut -c1-240 | grep -q 'Costs .*%' || echo "does not say that it costs much: $n"
done
grep -n '^Others' list
erltrace scripts wakeups | sed -n '$p'
erltrace scripts nosuch 2>&1
echo "= $?"
erltrace wakeups 1 >out 2>&1
echo "= $? $(grep -c Distribution out)"
t() {
	erltrace "$@" 2>&1
	echo "= $?"
}
t wakeups one
t wakeups 1 2
t wakups
t messages
t -N nosuch cpu-migration
t -N nosuch syscall-count
t -N nosuch function-calls a b
# a folder of one's own
mkdir own
cat >own/hello.d <<'END'
#!/usr/bin/env -S erltrace -qs
/*
 * Who is
 * there?
 *
 * @needs nothing
 * @arg NAME string: who
 * @arg TIMES number optional: how often
 */
#pragma D option defaultargs
BEGIN { printf("hello %s %d\n", $$1, $2); exit(0); }
END
sed 's/hello/changed/; s/Who/What/' own/hello.d >own/wakeups.d
t --scripts own hello 'a world' 3
t --scripts own hello
t --scripts own hello a b
t --scripts own wakeups x
ERLTRACE_SCRIPTS=own erltrace scripts | grep -e hello -e wakeups
t scripts hello
# what is a file is no script by name, and a D object comes before all
cp own/hello.d ./hello.d
t hello.d
t ./hello.d
"$ERLTRACE" --compile-only -o wakeups -n '#pragma D option quiet
BEGIN { printf("an object\n"); exit(0); }'
t wakeups
