# Asserts that all threads of a process are seen, each with its own self->.
. "$srcdir/user.sh"
$K -n 'pid$target:a.out:work:entry { self->i = arg0 + 1; } pid$target:a.out:work:return /self->i/ { @ = count(); @bad = sum(arg1 != (self->i - 1) * 2); self->i = 0; }
END { printa("%@d ", @); printa("%@d\n", @bad); }' -c './user threads 2000 8' 2>/dev/null
