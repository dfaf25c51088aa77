# Asserts that every option that takes a word is accepted by -x.
#
# @@timeout: 60

for o in bufpolicy=switch bufresize=auto encoding=ascii evaltime=exec linkmode=dynamic linktype=elf stdc=a engine=user amin=Private/Private/Unknown late=dynamic ctypes=/dev/null dtypes=/dev/null ldpath=/bin/ld modpath=/ procfspath=/proc sysslice=x syslibdir=. libdir=. incdir=. define=X undef=Y cppargs=-DZ setenv=A=1 unsetenv=B version=1.0; do
	$ERLTRACE -q -e -x $o -n BEGIN >/dev/null 2>err || { echo "$o:"; cat err; }
done
echo done
