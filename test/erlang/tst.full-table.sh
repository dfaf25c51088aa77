# A node has more threads than the library has rows for: the others share one. Here three threads get a row, and other
# tests, of calls, scripts that come and go, waiting and dirty schedulers, have the same results.
# @@timeout: 400
mkdir -p few/otp && cp -R "$BUILD/otp/erltrace" few/otp/ || exit 1
find "$BUILD/nif" -name '*.o' ! -path '*/c_src/threads.o' >objects
"${CC:-cc}" -I"$srcdir/../../src" -I"$srcdir/../../otp/erltrace/c_src" -O2 -fPIC -fvisibility=hidden -fno-stack-protector -DTHREADS_MOST=3 \
	-c -o threads.o "$srcdir/../../otp/erltrace/c_src/threads.c" || exit 1
"${CC:-cc}" -shared -nostdlib -Wl,-Bsymbolic -Wl,--gc-sections -o few/otp/erltrace/priv/erltrace_tracer.so threads.o $(cat objects) -lgcc || exit 1
cmp -s few/otp/erltrace/priv/erltrace_tracer.so "$BUILD/otp/erltrace/priv/erltrace_tracer.so" && echo 'the same library'
BUILD=$PWD/few
ERLTRACE_OTP=$BUILD/otp/erltrace
export BUILD ERLTRACE_OTP
for one in ${*:-safety beside waits dirty}; do
	mkdir "$one" && (cd "$one" && sh "$srcdir/tst.$one.sh" >../got 2>../err)
	status=$?
	if [ $status = 67 ]; then # this VM cannot do it, so there is nothing to compare
		cat err >&2
		cp "$srcdir/tst.$one.sh.out" got
	elif [ $status != 0 ]; then
		cat err
		echo "$one failed"
	fi
	diff "$srcdir/tst.$one.sh.out" got && echo "$one: the same"
done
