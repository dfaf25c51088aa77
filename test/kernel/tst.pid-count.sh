# Asserts that every call of a function and every return is counted, with its arguments and value, from main on.
. "$srcdir/user.sh"
$K -n 'pid$target:a.out:work:entry { @n[probefunc, probename] = count(); @args = sum(arg0); @text[copyinstr(arg1)] = count(); }
pid$target:a.out:work:return { @n[probefunc, probename] = count(); @values = sum(arg1); }
END { printa("%s %s %@d\n", @n); printa("%@d\n", @args); printa("%s %@d\n", @text); printa("%@d\n", @values); }' -c './user calls 5000' 2>/dev/null
