# --json: every line of standard output is one object, and nothing else is there.
"$ERLTRACE" --json -qn 'BEGIN { printf("a\"b\n"); trace(7); @x["k"] = count(); exit(0); }' >out
[ -s out ] || echo empty
grep -vc '^{.*}$' out || true
