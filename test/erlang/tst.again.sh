# A program that attaches again as soon as it has taken leave is let in each time; nothing is left.
. "$srcdir/lib.sh"
"${CC:-gcc}" -I"$srcdir/../../include" -o again "$srcdir/again.c" "$BUILD/liberltrace.a" $(sed -n 's/^Libs.private: //p' "$BUILD/erltrace.pc") || exit 1
node_start
ERLTRACE_OTP=$BUILD/otp/erltrace ./again "$NODE" "$COOKIE" 60
clean_node
