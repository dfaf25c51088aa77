# Asserts that a program's symbols come from its own file, whatever its process has since mounted over the file and over
# the place of its debug file.
# @@timeout: 90
[ "$(id -u)" = 0 ] || { echo 'needs root' >&2; exit 67; }
. "$srcdir/common.sh"
command -v objcopy >/dev/null || { echo 'no objcopy here' >&2; exit 67; }
flags='-O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -Wl,--build-id'
${CC:-cc} $flags -o spin "$srcdir/spin.c" || exit 1
# Other functions at the same places.
sed 's/inner/evil_/g' "$srcdir/spin.c" >evil.c
${CC:-cc} $flags -o evil evil.c || exit 1
cp spin stripped
strip -s stripped
id=$(readelf -n stripped | sed -n 's/.*Build ID: //p')
rest=${id#??}
{
objcopy --only-keep-debug evil evil.debug
objcopy --remove-section=.note.gnu.build-id evil.debug
objcopy -O binary --only-section=.note.gnu.build-id spin build-id
objcopy --add-section .note.gnu.build-id=build-id --set-section-flags .note.gnu.build-id=alloc,readonly evil.debug
} 2>/dev/null
readelf -n evil.debug 2>/dev/null | grep -q $id || { echo 'no debug file with the number of another' >&2; exit 67; }
mkdir -p other /usr/lib/debug
cat >inside <<END
mount -t tmpfs none other || exit 9
cp evil other/spin
./spin 60 >ready1 &
echo \$! >pids
./stripped 60 >ready2 &
echo \$! >>pids
until [ -s ready1 ] && [ -s ready2 ]; do sleep 0.05; done
mount --bind other/spin spin || exit 9
mount -t tmpfs none /usr/lib/debug || exit 9
mkdir -p /usr/lib/debug/.build-id/${id%$rest}
cp evil.debug /usr/lib/debug/.build-id/${id%$rest}/$rest.debug
chown 65534 /usr/lib/debug/.build-id/${id%$rest}/$rest.debug
echo ready >mounted
wait
END
unshare -m sh inside 2>err &
shell=$!
n=0
until [ -s mounted ]; do
	sleep 0.05
	n=$((n + 1))
	[ $n -lt 600 ] && kill -0 $shell || { echo 'no mounts here' >&2; exit 67; }
done
$ERLTRACE -q -n 'profile-97 /arg1 && (pid == $1 || pid == $2)/ { @f[execname, usym(arg1)] = count(); n[execname]++; }
tick-50ms /n["spin"] > 20 && n["stripped"] > 20/ { exit(0); } tick-60s { exit(1); }' $(cat pids) >out 2>err || { echo "status $?"; cat err; }
kill $(cat pids)
wait
grep -c 'spin`inner' out
grep -c evil_ out
exit 0
