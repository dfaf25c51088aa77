# profile-N samples the running processes: shares of functions and processes, whole stacks with lines, nothing for an
# idle node, dirty schedulers. The VM's own limit of stack traces is raised for that and set back afterwards.
# @@timeout: 200
. "$srcdir/lib.sh"
erlc -o . "$srcdir/shares.erl" || exit 1
node_start

# until N samples are there, however slow the machine is
sample() { # sample OUT N[ && CONDITION] [arguments]
	out=$1 n=$2
	shift 2
	trace -q -x pidnames=off -n 'int asked, stops; int64_t late; profile-499 { n++; } profile-499 /arg2 != late/ { stops++; late = arg2; } tick-100ms /n >= '"$n"'/ { exit(0); } tick-50s { printf("only %d samples\n", n); exit(0); }' "$@" >"$out.raw"
	sed -e 's/  */ /g; s/^ //' "$out.raw" >"$out"
}

# an idle node has nothing to sample, but for the moments in which it does something: the other way round
trace -q -n 'profile-997 { n++; } tick-1s { printf("idle: %s\n", n < 300 ? "next to nothing" : "busy"); exit(0); }'

node_eval 'register(work, shares:start()), ok.'
work=$(node_eval 'pid_to_list(whereis(work)).' | tr -d '"')
# and until it was looked at; where others take the processor, many samples are of one stop
sample out '1000 && stops >= 600 && asked' -x aggsortkey -n 'profile-499 { @[ustack()] = count(); @p[eproc, copyinstr(arg0)] = count(); }
	erlang*:::process-register /copyinstr(arg1) == "asked"/ { asked = 1; } tick-100ms { printf("begin\n"); }' &
SAMPLER=$!
while ! grep -q begin out.raw 2>/dev/null; do sleep 0.1; done
node_eval 'N = erlang:system_flag(backtrace_depth, 8), erlang:system_flag(backtrace_depth, N), register(asked, self()), {raised, N > 8}.'
wait $SAMPLER
# the first stack through three/1
grep -v begin out | awk 'NF { f[++k] = $0 } !NF { k = 0 } /^[0-9]+$/ && k > 3 && f[k - 2] ~ /three/ { print f[k - 3]; print f[k - 2]; print f[k - 1]; exit }'
share() { # share A B: whether A is about 3/4 of both
	awk -v a="$1" -v b="$2" 'BEGIN { s = a / (a + b + 1); print (a + b < 500 ? "too few: " a + b : s > 0.62 && s < 0.88 ? "about 3/4" : "share " s) }'
}
count_of() { # count_of FUNCTION: samples with it on the stack
	awk -v f="^shares:$1/1:" '$0 ~ f { hit = 1 } hit && /^[0-9]+$/ { n += $1; hit = 0 } /^$/ { hit = 0 } END { print n + 0 }' out
}
share "$(count_of three)" "$(count_of one)"
awk -v p="$work" '$1 == p && $2 == p { n += $3 } NF == 3 { all += $3 } END { print "process:", (n > all * 0.8 ? "the one that works" : n " of " all) }' out

# without stacks the clauses run in the process itself; the function is an argument
sample fun 300 -n 'profile-499 { @[copyinstr(arg1)] = count(); }'
sort -k2nr fun | head -1 | cut -d' ' -f1

trace -x pidnames=off -qs "$srcdir/../../scripts/hot-code.d" 2 | sed -e 's/  */ /g; s/^ //' >hot
awk -v p="$work" '$1 == p && NF == 2 { print "PROCESS" } $1 == "shares:work/1" && NF == 2 { print } /^shares:three/ && !n++ { print }' hot |
	sed -e 's/ [0-9][0-9]*$/ N/'

node_eval 'shares:stop(whereis(work)), register(dirty, spawn(shares, dirty, [30])), ok.'
sample dirty 200 -n 'profile-499 { @[eproc] = count(); }'
awk -v p="$(node_eval 'pid_to_list(whereis(dirty)).' | tr -d '"')" '$1 == p { print "dirty:", ($2 > 100 ? "seen" : $2) }' dirty
node_eval 'exit(whereis(dirty), kill), erlang:system_flag(backtrace_depth, 8).'
echo "after: $(clean_node)"
