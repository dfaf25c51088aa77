# The node's estimate of what tracing costs is right, including the VM's part: for each kind of event it is between half
# and twice the additional processor time that the same work takes with tracing. That includes events that take long
# because of their terms and not of their clauses. From OTP 27 on the same holds for calls that the VM only counts.
# @@timeout: 120
# @@alone
. "$srcdir/lib.sh"
erlc "$srcdir/cost.erl" || exit 1
node_start -pa . -pa "$BUILD/otp/erltrace/ebin" +S 1:1
"$ERLTRACE" --compile-only -o cost.dobj -n 'BEGIN { @[probename] = count(); }' || exit 1
node_eval '{module, cost} = code:ensure_loaded(cost), ok.' >/dev/null
trace --compile-only -o text.dobj -n 'erlang*:cost:floats/1:entry { @[text(args[0])] = count(); }' || exit 1

# Others take the processor and its caches away for seconds at a time: in one of five rounds it must fit.
[ "$(node_eval 'erlang:system_info(otp_release) >= "27".')" = true ] && counted=counted || counted=
kinds="call return send spawn exit unscheduled switch gc text $counted" wrong=$kinds
for round in 1 2 3 4 5; do
	left=
	for kind in $wrong; do
		[ $kind = text ] && object=text.dobj || object=cost.dobj
		said=$(node_eval "cost:of_kind($kind, \"$PWD/$object\", \"$BUILD/otp/erltrace/priv/erltrace_tracer\").")
		echo "$kind $said" >&2
		echo "$said" | tr -d '{} ' | awk -F, '{ exit !($2 * 2 > $1 && $2 < $1 * 2) }' || left="$left $kind"
		case $kind in
		return) calls=$(echo "$said" | tr -d '{} ' | cut -d, -f1) ;;
		gc)
			collections=$(echo "$said" | tr -d '{} ' | cut -d, -f1)
			# the call of the same round is compared with it
			[ "$collections" -lt $((calls * 2)) ] || [ $round = 5 ] || case "$left " in *' gc '*) ;; *) left="$left gc" ;; esac
			;;
		esac
	done
	case "$left " in *' return '*) ;; *' gc '*) [ $round = 5 ] || left=" return$left" ;; esac
	wrong=$left
	[ -n "$wrong" ] || break
	sleep 2
done
for kind in $kinds; do
	case " $wrong " in
	*" $kind "*) echo "$kind wrong" ;;
	*) [ $kind = counted ] || echo "$kind right" ;;
	esac
done
# Both are two events. The VM makes no list of sizes for a collection of which only the process is wanted: that would
# take four times as long.
[ "$collections" -lt $((calls * 2)) ] && echo 'collections cost little' || echo "a collection $collections ns, a call $calls"
node_alive && clean_node release
