defmodule Shop.MixProject do
  use Mix.Project

  # DEPENDENCY: another way to depend on the application than by its path, as a term.
  @dependency (case System.get_env("DEPENDENCY") do
                 nil -> [path: "../../otp/erltrace"]
                 text -> text |> Code.eval_string() |> elem(0)
               end)

  def project do
    [app: :shop, version: "1.0.0", elixir: "~> 1.10", deps: [{:erltrace, @dependency}]]
  end

  def application, do: [extra_applications: [:logger]]
end
