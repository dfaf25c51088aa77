# A script can be run as a command, with bundled flags behind env -S. The first line of a script written for dtrace is
# taken as a comment.
PATH=$(dirname "$ERLTRACE"):$PATH
export PATH
cat >a.d <<'END'
#!/usr/bin/env -S erltrace -qs
BEGIN { printf("%s says %s\n", $$0, $$1); exit(4); }
END
chmod +x a.d
./a.d hello
echo "status $?"
cat >b.d <<'END'
#!/usr/sbin/dtrace -qs
BEGIN { printf("b\n"); exit(0); }
END
"$ERLTRACE" -qs b.d
