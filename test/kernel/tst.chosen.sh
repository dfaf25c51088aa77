# Asserts which engine runs a script. profile-N that looks at the interrupted thread, curthread and kernel types are
# about the machine and run in the kernel; without the right to do that they are refused, with what is missing. Scripts
# that give the same answer in the command still run there.
. "$srcdir/common.sh"
command -v setpriv >/dev/null || exit 67
"$ERLTRACE" -qn 'profile-997 /execname == "workload"/ { @ = count(); } tick-10s { exit(0); }' -c './workload burn 300' >out || exit 1
awk 'NF && $1 > 0 { print "sees others" }' out
"$ERLTRACE" -qn 'BEGIN { printf("%d\n", curthread->tgid == pid && curthread->mm->mm_users.counter > 0); exit(0); }' | awk 'NF'
as="setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all"
$as "$ERLTRACE" -qn 'profile-97 { @[execname] = count(); }' 2>&1 | grep -o 'profile-N, .* needs the kernel engine.*lacks both'
$as "$ERLTRACE" -qn 'BEGIN { trace(curthread->pid); exit(0); }' 2>&1 | grep -o 'needs the kernel engine.*lacks both'
$as "$ERLTRACE" -qn 'profile-97 /++n > 3/ { printf("%d\n", cpu >= 0); exit(0); }' | awk 'NF'
$as "$ERLTRACE" -F -qn 'profile-97 /++n > 3/ { printf("%d\n", cpu >= 0); exit(0); }' | awk '/profile/ { print $NF }'
$as "$ERLTRACE" -xengine=user -qn 'profile-97 { printf("%s\n", execname); exit(0); }' | awk 'NF { print $1; exit }'
