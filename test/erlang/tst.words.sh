# What an operator can type without knowing D: -N alone lists nodes, a function's name prints its calls, a script's name
# runs it, and descriptions may leave out the provider. -Z waits for a module that is not on the code path.
# @@timeout: 300
. "$srcdir/lib.sh"
mkdir code
cat >code/later.erl <<'END'
-module(later).
-export([f/1, h/1, 'odd name?'/0]).
h(X) -> X.
f(0) -> 0;
f(X) -> g(X) + f(X - 1).
g(X) -> X * 2.
'odd name?'() -> yes.
END
cat >code/elixir_shop.erl <<'END'
-module('Elixir.Shop.Repo').
-export([get/2, 'all?'/1]).
get(T, K) -> {T, K}.
'all?'(L) -> L =:= [].
END
erlc -o code code/later.erl && mv code/elixir_shop.erl code/Elixir.Shop.Repo.erl && erlc -o code code/Elixir.Shop.Repo.erl || exit 1
node_start

# until FILE EXPRESSION: evaluates again and again, until the command in the background has ended
until_end() {
	n=0
	while kill -0 "$pid" 2>/dev/null; do
		node_eval "$1" >/dev/null
		n=$((n + 1))
		[ $n -lt 600 ] || { kill -9 "$pid"; echo 'it does not end'; break; }
	done
	wait "$pid"
	echo "status $?"
}
calls() { # calls EXPRESSION ARGUMENTS…
	e=$1
	shift
	trace "$@" >out 2>err &
	pid=$!
	until_end "$e"
	sed -E 's/^[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6} <[0-9.]+> //; s/[0-9]+\.[0-9] us/T us/' out
	cat err
}

# The same while a process of the node evaluates it all the time: a second may be too short to ask from here.
during() { # during EXPRESSION ARGUMENTS…
	node_eval "persistent_term:put(caller, spawn(fun F() -> $1, timer:sleep(20), F() end)), ok." >/dev/null
	shift
	trace "$@" >out 2>err
	echo "status $?"
	node_eval 'exit(persistent_term:get(caller), kill).' >/dev/null
	sed -E 's/^[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6} <[0-9.]+> //; s/[0-9]+\.[0-9] us/T us/' out
	cat err
}

echo '-- nodes'
"$ERLTRACE" -N | awk -v n="$NODE@" -v p="$NODE_PID" 'NR == 1 { print $1, $2 } index($1, n) == 1 { print "found", $2 == p ? "with its pid" : "pid " $2 }'
"$ERLTRACE" -N -q | grep -c "^$NODE@"
ERL_EPMD_PORT=1 "$ERLTRACE" -N 2>&1
echo "status $?"

echo '-- calls'
calls 'lists:seq(7, 9), lists:seq(1, 2).' --count 4 'lists:seq/2 /args[0] == 7/'
calls 'catch lists:nth(0, []).' --count 2 lists:nth/2
during 'lists:seq(7, 9, 2), lists:seq(1, 2)' --count 1000 --for 1s lists:seq | sort | uniq | grep -v '^lists:seq(1, 2)\|^lists:seq/2'
calls 'lists:seq(7, 9).' lists:seq/2 | tail -n 1
[ "$(wc -l <out)" = 100 ] || echo "$(wc -l <out) lines"

echo '-- calls, but the predicate is true of none'
for p in 'args[0] == 8' 'eproc == "nobody"' 'args[0] == "seven"'; do
	during 'lists:seq(7, 9)' --for 1s "lists:seq/2 /$p/"
done

echo '-- Elixir, quotes, all functions of a module'
node_eval 'code:load_abs("'"$PWD"'/code/Elixir.Shop.Repo"), code:load_abs("'"$PWD"'/code/later").' >/dev/null
calls "'Elixir.Shop.Repo':get(a, #{})." --count 2 Shop.Repo.get/2
calls "'Elixir.Shop.Repo':'all?'([])." --count 2 'Shop.Repo.all?'
calls 'lists:seq(7, 9).' --count 2 :lists.seq/2
calls "later:'odd name?'()." --count 2 "later:'odd name?'/0"
calls 'later:f(2).' --count 10 later
calls 'later:f(2).' --count 2 'later:f/1 /args[0] == 1/'

echo '-- a predicate that cannot be computed for each call: said once, and counted'
for p in 'args[0] == 5' 'args[0] == 5 || element(1, args[0]) == 5' 'is_integer(args[0]) && args[0] == 5'; do
	calls '[later:h(X) || X <- [a, b, 5, c]].' --count 3 "later:h/1 /$p/" | sed 's/for [0-9][0-9]* calls*$/for N calls/'
done

echo '-- wrong words'
for w in mesages shop_db.store shop_db.store/2 'shop_db.store/2 /args[0] == 1.5/' 'shop_db:store/2 args[0] == 1' nosuch_module:f/1 lists:sqe/2 :lists.sqe/2 Shop.Repo.all! lists:nosuch lists:seq/7 'lists:seq/2 /nosuch/' lists:seq/999 'lists:seq/2 /1' 'a b' ; do
	trace "$w" 2>&1
done
trace lists:seq/2 more 2>&1
trace --top lists:seq/2 2>&1
trace -o calls.svg lists:seq/2 2>&1
trace 2>&1 | sed "s/-N $NODE/-N NODE/"
trace --count 5 -qn BEGIN 2>&1
"$ERLTRACE" lists:seq/2 2>&1 | sed 's/there are: .*/there are: .../'

echo '-- a script by its name'
trace births-deaths 1 | grep -c '^In all'

echo '-- a process by its name or its pid'
node_eval 'Loop = fun F() -> lists:seq(1, 2), timer:sleep(5), F() end, [register(N, spawn(Loop)) || N <- [looper, '"'Elixir.Shop.Looper'"']], ok.'
pid=$(node_eval 'pid_to_list(whereis(looper)).' | tr -d '"')
for p in looper "$pid" "$(echo "$pid" | tr -d '<>')" Shop.Looper; do
	n=0
	until trace --for 1s -x maxoverhead=100 function-calls "$p" 2>err | grep -q '<- lists:seq/2'; do
		n=$((n + 1))
		[ $n -lt 10 ] || { echo "no calls of $p"; cat err; break; }
	done
done
trace --for 1s function-calls nosuch 2>&1 | sed "s/$NODE[^ ]*/NODE/"
trace --for 1s function-calls '<0.1.99999>' 2>&1 | sed -n "1s/$NODE[^ ]*/NODE/p"

echo '-- descriptions without a provider'
trace -ln lists:seq/2:entry | awk 'NR > 1 { print $3, $4, $5 }'
trace -ln :lists:seq/2:entry | awk 'NR > 1 { print $3, $4, $5 }'
trace -lf lists:seq/2 | awk 'NR > 1 { print $3, $4, $5 }'
trace --for 50ms -f 'lists:seq/2' 2>&1 | grep matched
trace --for 50ms -f 'lists:seq/2 /1/ { }' 2>&1 | grep matched
trace -lm lists | awk 'NR > 1 { print $3, $5 }' | sort -u
trace -qf 'seq/2 { }' 2>&1 | sed -n '$s/^ *//p'
for p in lists:seq/2:enter nosuch_module:f/1:entry 'nosuch*:f/1:entry' lists:nosuch/1:entry; do
	trace -qn "$p { }" 2>&1 | sed -n '$s/^ *//p'
done
trace -ln nosuch_module:f/1:entry 2>&1 | tail -n 1
trace -qn 'process-spawn { printf("%s", arg1); }' 2>&1 | sed -n '$s/^ *//p'
trace -x defaultargs -qn 'erlang*:$1:$2:entry { }' 2>&1 | sed -n '$s/^ *//p'

echo '-- later'
node_eval 'code:delete(later), code:purge(later).' >/dev/null
trace_start seen -Z -n 'later:f/1:entry { @["called", args[0]] = count(); } later:f/1:return { @["value", args[0]] = count(); }'
node_eval 'try later:f(1) catch error:undef -> not_there end.'
# the tracer hears of it when it is loaded
node_eval "$INFO"'
	code:load_abs("'"$PWD"'/code/later"),
	Wait = fun Wait(0) -> not_traced; Wait(N) -> case Info({later, f, 1}, traced) of {_, local} -> ok; _ -> timer:sleep(50), Wait(N - 1) end end,
	{Wait(600), length([later:f(1) || _ <- [1, 2, 3]])}.'
trace_stop
cat seen.txt
echo "after: $(clean_node)"
