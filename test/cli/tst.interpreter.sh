# A script as its own command, with bundled flags behind env -S; and dtrace's own first line is only a comment.
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
