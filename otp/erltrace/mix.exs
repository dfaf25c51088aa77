# As a dependency by path: {:erltrace, path: "…/otp/erltrace"}; the mix.exs at the top of the repository, for git, is this one too.
defmodule Mix.Tasks.Compile.ErltraceNative do
  @moduledoc "Builds what of the application is not Erlang."
  use Mix.Task.Compiler

  @impl true
  def run(_args) do
    app = Mix.Project.app_path()
    env = [{"ERL_ROOT", to_string(:code.root_dir())}]
    arguments = [Path.join(__DIR__, "native.sh"), Path.join(app, "native"), Path.join(app, "priv")]

    case System.cmd("sh", arguments, env: env, stderr_to_stdout: true) do
      {_, 0} -> {:ok, []}
      {output, _} -> Mix.raise(output)
    end
  end
end

defmodule Erltrace.MixProject do
  use Mix.Project

  @here Path.relative_to(__DIR__, File.cwd!())
  @source if @here == __DIR__, do: "src", else: Path.join(@here, "src")
  {:ok, [{:application, :erltrace, keys}]} = :file.consult(Path.join(__DIR__, "src/erltrace.app.src"))
  @keys keys

  def project do
    [
      app: :erltrace,
      version: to_string(@keys[:vsn]),
      description: to_string(@keys[:description]),
      language: :erlang,
      erlc_paths: [@source],
      elixirc_paths: [],
      compilers: [:erltrace_native, :erlang, :app],
      deps: []
    ]
  end

  def application do
    [mod: @keys[:mod], registered: @keys[:registered]]
  end
end
