# run.sh BUILD: the command, built for arm64 by a cross compiler, in qemu's user mode: the D suite and the command line. Without the kernel
# engine, which needs a whole machine (test/kernels/arm64.sh), and without the page. Called by `make test-arm64`.
build=$1
fetched=${ERLTRACE_CACHE:-$build}/arm64-dev
. /etc/os-release
sh test/arm64/fetch.sh "$fetched" "$VERSION_CODENAME" erlang-dev libc6 || exit 1
fetched=$(cd "$fetched" && pwd)
mkdir -p "$build/arm64/emulated"
arm64=$(cd "$build/arm64" && pwd)
make --no-print-directory -j"$(nproc)" BUILD="$arm64" CC=aarch64-linux-gnu-gcc ERL_ROOT="$fetched/root/usr/lib/erlang" KERNEL=0 WEB=0 "$arm64/erltrace" || exit 1
# A process has the name of the file that was executed.
ln -sf "$(command -v qemu-aarch64)" "$arm64/emulated/erltrace"
printf '#!/bin/sh\nexec "%s/emulated/erltrace" -L "%s/root" "%s/erltrace" "$@"\n' "$arm64" "$fetched" "$arm64" >"$arm64/run"
chmod +x "$arm64/run"
rm -f "$build/results-arm64"
# Three tests look at where the kernel keeps the arguments and the environment of the process, which are qemu's; tst.fast is about time.
find test/d -name '*.d' -o -name 'tst.*.sh' | grep -Ev '/(tst.curpsinfo|tst.psinfo-envp|tst.psinfo-argv|tst.fast)\.' |
	xargs "$build/test/run" -t 120 -e "$arm64/run" -b "$build" -r "$build/results-arm64" -l 'D suite on arm64'
sh test/sum.sh "$build/results-arm64"
