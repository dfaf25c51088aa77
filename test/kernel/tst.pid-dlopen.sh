# Asserts that functions of a library that is loaded during tracing are seen from the first call, and that unloading it
# does no harm.
. "$srcdir/common.sh"
${CC:-cc} -O1 -shared -fPIC -DLIBRARY -o libplugin.so "$srcdir/plugin.c" && ${CC:-cc} -O1 -o plugin "$srcdir/plugin.c" -ldl || exit 1
mkfifo in
./plugin "$PWD/libplugin.so" 300 <in >ready &
pid=$!
exec 3>in
until grep -q ready ready; do sleep 0.05; done
$K -xswitchrate=10ms -n "pid\$target:'$PWD/libplugin.so':plugged:entry { @n[probename] = count(); @s = sum(arg0); } pid\$target:'$PWD/libplugin.so':plugged:return { @n[probename] = count(); }
tick-50ms /!on++/ { printf(\"on\n\"); } END { printa(\"%s %@d\n\", @n); printa(\"%@d\n\", @s); }" -p $pid >out 2>err &
k=$!
until grep -q on out || ! kill -0 $k 2>/dev/null; do sleep 0.05; done
echo >&3
wait $pid
echo "ended with $?"
wait $k
grep . out
$K -n "pid\$target:'/no/such.so'::entry {}" -c /bin/true 2>&1 | sed -n '1s/.*{}: //p'
