# A release of Elixir: its node is listed, -p needs nothing else, its functions can be written as in Elixir, as a word and in descriptions, and
# top shows it.
# @@timeout: 300
command -v erl >/dev/null || { echo 'erl is not installed' >&2; exit 67; }
command -v mix >/dev/null || { echo 'mix is not installed' >&2; exit 67; }
[ -d "$BUILD/otp/erltrace/ebin" ] || { echo 'built without the Erlang part' >&2; exit 67; }
name=shop$$ cookie=cookie$$ shop_pid=
finish() {
	[ -n "$shop_pid" ] && kill -9 -"$shop_pid" 2>/dev/null
	wait 2>/dev/null
}
trap finish EXIT
fail() {
	echo "$*" >&2
	for f in out err shop.log mix.log; do
		[ -s $f ] && { echo "-- $f" >&2; tail -n 25 $f >&2; }
	done
	exit 1
}
HOME=$PWD MIX_HOME=$PWD/mix HEX_OFFLINE=1 LC_ALL=C.UTF-8
export HOME MIX_HOME HEX_OFFLINE LC_ALL
mkdir -p shop/lib
cp "$srcdir/../elixir/lib/shop.ex" shop/lib/
cat >shop/mix.exs <<'END'
defmodule Shop.MixProject do
  use Mix.Project
  def project, do: [app: :shop, version: "1.0.0", deps: []]
  def application, do: [mod: {Shop.Application, []}, extra_applications: []]
end
END
cat >shop/lib/application.ex <<'END'
defmodule Shop.Application do
  use Application
  def start(_, _) do
    {:ok, _} = GenServer.start_link(Shop.Stock, 1000, name: Shop.Stock)
    {:ok, spawn_link(fn -> shop(%{}) end)}
  end

  def shop(basket) do
    Process.sleep(2)
    basket = Shop.Basket.add(basket, "apple", 3)
    Shop.Application.empty?(basket)
    GenServer.call(Shop.Stock, :take)
    if Shop.Basket.total(basket) > 30, do: shop(%{}), else: shop(basket)
  end

  def empty?(basket), do: basket == %{}
end

defmodule Shop.Stock do
  use GenServer
  def init(n), do: {:ok, n}
  def handle_call(:take, _, n), do: {:reply, n, n - 1}
end
END
(cd shop && MIX_ENV=prod mix release --quiet) >mix.log 2>&1 || fail 'no release'
RELEASE_DISTRIBUTION=sname RELEASE_NODE=$name RELEASE_COOKIE=$cookie setsid shop/_build/prod/rel/shop/bin/shop start >shop.log 2>&1 </dev/null &
shop_pid=$!
i=0
until "$ERLTRACE" -N 2>/dev/null | grep -q "^$name@"; do
	i=$((i + 1))
	[ $i -lt 600 ] || fail 'the release does not start'
	kill -0 $shop_pid 2>/dev/null || fail 'the release has ended'
	sleep 0.1
done
trace() {
	"$ERLTRACE" -N "$name" --cookie "$cookie" "$@" >out 2>err || fail "the command failed: $*"
}
trace --count 6 Shop.Basket.add/3
[ "$(wc -l <out)" = 6 ] || fail 'not 6 lines'
grep -Eq '> Shop.Basket:add\(#\{.*\}, <<"apple">>, 3\)$' out || fail 'no call'
grep -Eq '> Shop.Basket:add/3 -> #\{<<"apple">> => [0-9]+\} \([0-9]+\.[0-9] us\)$' out || fail 'no return'
# by its process, or by the script that has started it: name and cookie are found
HOME=/nowhere "$ERLTRACE" -p "$shop_pid" --count 3 Shop.Basket.add/3 >out 2>err || fail 'not with -p'
[ "$(grep -c 'Shop.Basket:add' out)" = 3 ] || fail 'not 3 lines with -p'
trace --count 4 'Shop.Application.empty?'
grep -q 'Shop.Application:empty?(' out || fail 'no call of a name with a question mark'
trace --count 4 'Shop.Basket.total/1 /map_get("apple", args[0]) == 9/'
grep -q 'total(#{<<"apple">> => 9})' out && ! grep -q 'apple">> => 6' out || fail 'the predicate does not hold'
trace --count 40 Shop.Basket
grep -q 'Shop.Basket:add(' out && grep -q 'Shop.Basket:total(' out || fail 'not all functions of the module'
trace --for 1s -qn 'Shop.Basket:add/3:entry { @[probemod, probefunc] = count(); }'
grep -Eq '^ +Shop.Basket +add/3 +[0-9]+$' out || fail 'no description without a provider'
trace --for 2s --interval 500ms top
grep -Eq '^<0\.[0-9]+\.0> Shop.Stock ' out || fail 'no top, or not with the name of the server'
trace --for 1s -qn 'erlang*:::message-queued { @[copyinstr(arg0)] = count(); @by[name(arg0)] = count(); }'
grep -Eq '^ +<0\.[0-9]+\.0> Shop.Stock +[0-9]+$' out && grep -Eq '^ +Shop.Stock +[0-9]+$' out || fail 'no name beside the pid'
trace server-latency 2
grep -Eq '^ +(<0\.[0-9]+\.0> )?Shop.Stock +[0-9]+ +[0-9]+ +[0-9]+$' out || fail 'GenServer.call is not seen'
exit 0
