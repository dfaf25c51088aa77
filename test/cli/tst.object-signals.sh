# Whatever a D object contains, also in its options, the command ends soon after a signal and does not crash.
# @@timeout: 180
cat >x.d <<'END'
#pragma D option quiet
#pragma D option bufsize=64k
#pragma D option aggsize=64k
#pragma D option dynvarsize=64k
#pragma D option strsize=64
#pragma D option nspec=4
#pragma D option switchrate=10ms
#pragma D option aggrate=20ms
BEGIN { x = 3; self->a = "hello"; @a[x, "k"] = quantize(x); printf("%s %10d %-20s\n", "str", 42, execname); }
tick-10ms { @b[probename, i++ % 100] = count(); @c = lquantize(i, 0, 1000, 10); y[i] = i; printf("%d %s\n", i, strjoin(probename, "x")); }
tick-20ms { printa(@b); printa("%s %d %@d\n", @b); clear(@b); trunc(@c, 3); }
tick-30ms { this->s = speculation(); speculate(this->s); trace(i); }
END { printa(@a); trace(timestamp); }
END
"$ERLTRACE" -q --compile-only -o x.dobj -s x.d || exit 1
# The search for leaks at the end of a program can hang on a busy machine; it is not what this is about.
ASAN_OPTIONS="$ASAN_OPTIONS${ASAN_OPTIONS:+:}detect_leaks=0"
export ASAN_OPTIONS
seed=0 ran=0
while [ $seed -lt "${FUZZ_OBJECTS:-150}" ]; do
	seed=$((seed + 1))
	"$BUILD/test/hostile" mutate $seed x.dobj m.dobj || exit 1
	# 9 s after the signal it is killed; 137 tells
	env --default-signal timeout -k 9 0.15 "$ERLTRACE" -x engine=user m.dobj >out 2>err
	status=$?
	case $status in
	124) ran=$((ran + 1)) ;; # the time was over, and it obeyed
	[0-9] | 1[0-9] | [0-9][0-9]) ;; # refused, or exit() with some number
	*) echo "seed $seed: status $status"; tail -n 3 err ;;
	esac
done
[ $ran -gt 10 ] && echo "objects ran and ended" || echo "only $ran ran"
