# DTRACE_OPT_name sets options, the command line wins over it, and wrong values are errors.
DTRACE_OPT_quiet= "$ERLTRACE" -n 'BEGIN { printf("quiet\n"); exit(0); }'
DTRACE_OPT_STRSIZE=8 "$ERLTRACE" -qn 'BEGIN { s = "abcdefghijklmnopqrst"; printf("%s\n", s); exit(0); }'
DTRACE_OPT_strsize=8 "$ERLTRACE" -x strsize=16 -qn 'BEGIN { s = "abcdefghijklmnopqrst"; printf("%s\n", s); exit(0); }'
DTRACE_OPT_nosuch=1 "$ERLTRACE" -qn 'BEGIN { exit(0); }' 2>/dev/null
echo "status $?"
