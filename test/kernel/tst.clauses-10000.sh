# Asserts that 10,000 clauses of one probe count correctly or, if the kernel does not accept so many, are refused with a
# message that says so.
. "$srcdir/common.sh"
# @@timeout: 100
awk 'BEGIN { for (i = 0; i < 10000; i++) print "syscall::getppid:entry /pid == $target/ { n++; }"; print "END { printf(\"%d\\n\", n); }" }' >many.d
$K -s many.d -c './workload calls 3' >out 2>err
if [ -s err ]; then
	grep -o 'the kernel refuses the clauses of syscall:vmlinux:getppid:entry, line [0-9]*: they are more than' err | grep -o 'refuses the clauses' || head -c 2000 err >&2
else
	[ "$(awk 'NF { print $1 }' out)" = 30000 ] && echo 'refuses the clauses' || head -c 2000 out >&2
fi
