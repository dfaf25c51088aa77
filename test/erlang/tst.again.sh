# A client that attaches again right after it detached is accepted every time, and nothing is left behind.
. "$srcdir/lib.sh"
"${CC:-gcc}" -I"$srcdir/../../include" -o again "$srcdir/again.c" "$BUILD/liberltrace.a" $(sed -n 's/^Libs.private: //p' "$BUILD/erltrace.pc") || exit 1
node_start
ERLTRACE_OTP=$BUILD/otp/erltrace ./again "$NODE" "$COOKIE" 60
clean_node
