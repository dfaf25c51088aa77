# With --json every line of standard output is one object, and there is nothing else.
"$ERLTRACE" --json -qn 'BEGIN { printf("a\"b\n"); trace(7); @x["k"] = count(); exit(0); }' >out
[ -s out ] || echo empty
grep -vc '^{.*}$' out || true
# What a command of system() writes is not among the lines.
"$ERLTRACE" --json -wqn 'BEGIN { system("echo hi"); exit(0); }' >out 2>err
grep -vc '^{.*}$' out
grep -x hi err
# Into a file of -o it never was: it goes where it always goes.
"$ERLTRACE" --json -wqo file -n 'BEGIN { system("echo ho"); exit(0); }' 2>err
grep -vc '^{.*}$' file
true
