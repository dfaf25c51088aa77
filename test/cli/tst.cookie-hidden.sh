# The list of processes does not show the value of --cookie while the command runs, in either form of the option. It
# shows all other arguments. Commands that it runs do not get $ERLTRACE_COOKIE.
for form in '--cookie s3cr3t-cookie' '--cookie=s3cr3t-cookie'; do
	: >out # else what the last one wrote may be read
	# shellcheck disable=SC2086
	"$ERLTRACE" $form -qn 'BEGIN { printf("running\n"); }' >out 2>&1 &
	pid=$!
	i=0
	until grep -q running out || [ $i -ge 600 ]; do
		i=$((i + 1))
		sleep 0.05
	done
	tr '\0' ' ' <"/proc/$pid/cmdline" >args
	kill -INT $pid 2>/dev/null
	kill $pid
	wait $pid
	grep -q s3cr3t args && echo "seen: $(cat args)"
	grep -o -- '--cookie[ =]x* -qn' args
done
export ERLTRACE_COOKIE=s3cr3t-cookie
"$ERLTRACE" -wqn 'BEGIN { system("echo system: ${ERLTRACE_COOKIE-none}"); exit(0); }' | grep .
"$ERLTRACE" -qn 'BEGIN {}' -c "sh -c 'echo command: \${ERLTRACE_COOKIE-none}'" | grep .
