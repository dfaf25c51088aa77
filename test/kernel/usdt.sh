# For tests of USDT: common.sh and the program ./usdt, which has probes.
. "$srcdir/common.sh"
${CC:-cc} -O1 -g -o usdt "$srcdir/usdt.c" || exit 1
# waiting NAME N: ./usdt N as a process that waits: $pid, and `go` lets it go on.
waiting() {
	mkfifo in
	./usdt wait "$1" <in >ready &
	pid=$!
	exec 3>in
	until grep -q ready ready; do sleep 0.05; done
}
go() { echo >&3; }
