# Exit statuses: 0 for success, 1 for errors, 2 for usage errors, or the status that the script gives to exit().
check() {
	want=$1
	shift
	"$ERLTRACE" "$@" >out 2>err
	got=$?
	[ $got = $want ] || {
		echo "erltrace $*: status $got, expected $want"
		cat err
	}
}
check 0 -qn 'BEGIN { exit(0); }'
check 3 -qn 'BEGIN { exit(3); }'
check 255 -qn 'BEGIN { exit(255); }'
check 1 -n 'BEGIN { nosuch; }'
check 1 -n 'nosuch:::probe'
check 1 -s /nonexistent/x.d
check 1 -s /
check 1 -x nosuchoption -n BEGIN
check 1 -x bufsize=4q -n BEGIN
check 1 -b 4q -n BEGIN
check 1 -q
check 1 -p notapid -n BEGIN
check 1 -p 0 -n BEGIN
check 1 -c '' -n BEGIN
check 1 -c /nonexistent/command -n BEGIN
check 1 -i BEGIN
check 1 -l -n nosuch
check 2
check 2 -y
check 2 -n
check 2 -qx
check 2 --nosuch
check 2 -lV
check 2 -a
check 2 -A -n BEGIN
check 2 -G -s x.d
check 2 -h -s x.d
check 1 -N foo@nosuchhost.invalid --cookie x -n BEGIN
check 2 --compile-only -n BEGIN
check 0 --help
check 0 --version
check 0 -V
check 0 -l
check 0 -e -n BEGIN
echo done
