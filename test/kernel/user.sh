# For tests of probes inside processes: common.sh and the program ./user.
. "$srcdir/common.sh"
${CC:-cc} -O1 -g -pthread -o user "$srcdir/user.c" || exit 1
