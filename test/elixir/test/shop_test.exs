defmodule ShopTest do
  use ExUnit.Case

  test "a function of the project, counted by name as Elixir writes it" do
    {:ok, handle} = :erltrace.open([:binary])
    :ok = :erltrace.compile(handle, "erlang*:Shop.Basket:add/3:entry { @[probefunc] = count(); }")
    :ok = :erltrace.go(handle)
    Enum.reduce(1..100, %{}, fn n, basket -> Shop.Basket.add(basket, rem(n, 3), n) end)
    assert {:ok, [{:count, ["add/3"], 100}]} = :erltrace.walk(handle)
    assert :ok = :erltrace.walk(handle)
    :ok = :erltrace.stop(handle)
    :ok = :erltrace.close(handle)
  end

  test "a script as terms, and what it printed as binaries" do
    {:ok, handle} = :erltrace.open(strings: :binary)

    :ok =
      :erltrace.compile(handle, [
        {:BEGIN, [{:printf, "hello %s %d", ["Elixir", 42]}]},
        {{:function, Shop.Basket, :total, 1, :return}, [{:count, :totals, []}]}
      ])

    :ok = :erltrace.go(handle)
    assert 5 == Shop.Basket.total(%{a: 2, b: 3})
    assert {:ok, [{"totals", :count, [], 1}]} = :erltrace.walk(handle, [:names])
    assert {:ok, [{:printf, {"dtrace", "", "", "BEGIN"}, "hello Elixir 42"}]} = :erltrace.consume(handle)
    :ok = :erltrace.close(handle)
  end

  test "an error has its place" do
    {:ok, handle} = :erltrace.open([:binary])
    assert {:error, {:dtrace, {1, 17}, message}} = :erltrace.compile(handle, "BEGIN { trace(1 }")
    assert message =~ "BEGIN { trace(1 }"
    :ok = :erltrace.close(handle)
  end

  test "a subscription" do
    {:ok, runner} = :erltrace.subscribe("erlang*:Shop.Basket:add/3:entry { @ = count(); }", interval: 100)
    Shop.Basket.add(%{}, :apple, 1)
    assert_receive {:erltrace, ^runner, {:snapshot, [{_, :count, [], 1}]}}, 2000
    :ok = :erltrace.unsubscribe(runner)
  end

  test "its own probes" do
    refute :erltrace.p(1, "one")
    {:ok, handle} = :erltrace.open([:binary])
    :ok = :erltrace.compile(handle, "erlang*:::user_trace-i4s4 { printf(\"%d %s\", arg2, copyinstr(arg6)); }")
    :ok = :erltrace.go(handle)
    assert :erltrace.p(1, "one")
    assert {:ok, [{:printf, _, "1 one"}]} = :erltrace.consume(handle)
    :ok = :erltrace.close(handle)
    refute :erltrace.p(1, "one")
  end

  test "the page as a child of a supervisor" do
    case Supervisor.start_link([{:erltrace_web, name: :page, port: 0, nodes: []}], strategy: :one_for_one) do
      {:ok, supervisor} ->
        assert to_string(:erltrace_web.url(:page)) =~ ~r"^http://127.0.0.1:[0-9]+/\?token=[0-9a-f]{32}$"
        Supervisor.stop(supervisor)

      {:error, {:shutdown, {:failed_to_start_child, :page, {:dtrace, :serve, message}}}} ->
        assert to_string(message) =~ "built without the page"
    end
  end
end
