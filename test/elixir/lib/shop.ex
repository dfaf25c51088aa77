defmodule Shop.Basket do
  @moduledoc "Something to trace."

  def add(basket, item, price), do: Map.update(basket, item, price, &(&1 + price))
  def total(basket), do: basket |> Map.values() |> Enum.sum()
end
