# Asserts that the frames of a sampled process have the names of its functions, in order, and that usym() and umod() are
# keys by function and by module.
# @@timeout: 60
. "$srcdir/common.sh"
${CC:-cc} -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -o spin "$srcdir/spin.c" || exit 1
./spin 600 >ready &
pid=$!
until grep -qs ready ready; do sleep 0.05; done
$ERLTRACE -q -n 'profile-97 /pid == $target && arg1/ { @[ustack()] = count(); @f[usym(arg1)] = count(); @m[umod(arg1)] = count(); @n = count(); n++; }
tick-10ms /n > 50/ { exit(0); } tick-60s { exit(0); }' -p $pid >out 2>err
kill $pid
wait $pid 2>/dev/null
# Each stack: inner, middle, top, main.
grep -A3 'spin`inner+0x' out | sed 's/+0x[0-9a-f]*//; s/^ *//' | head -n 4
# One line a function and a module.
grep -c '^  spin`inner  *[0-9]*$' out
grep -c '^  spin  *[0-9]*$' out
