# -v reports the stability of programs, -V the version, -Vv more about the build.
"$ERLTRACE" -e -v -n BEGIN | sed -n 2p
"$ERLTRACE" -V | grep -c '^erltrace: .* [0-9][0-9]*\.[0-9]'
[ "$("$ERLTRACE" --version)" = "$("$ERLTRACE" -V)" ] && echo ok
