# As a dependency: {:erltrace, git: "URL"}. The application itself is in otp/erltrace.
Code.require_file("otp/erltrace/mix.exs", __DIR__)
