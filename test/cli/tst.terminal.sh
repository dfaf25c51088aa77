# What is written to a terminal: data cannot control the terminal, while the script's own text, and everything with -x
# rawtext, is written unchanged. If the output is not a terminal nothing is changed.
pty=$BUILD/test/pty
show() { od -An -c -v | tr -s ' ' | tr -d '\n' | sed 's/^ //; s/$/\n/'; } # bytes as they are
export LC_ALL=C.UTF-8 NO_COLOR=1
d() { "$pty" "$ERLTRACE" -q "$@" 2>&1 | show; }
# A name that clears the screen, as execname, key, trace() and print().
bad=$(printf 'a\033[2J\007')
ln -s "$ERLTRACE" "$bad"
"$pty" ./"$bad" -qn 'BEGIN { printf("%s|%6.3s|", execname, execname); trace(execname); print(execname); @[execname] = count(); exit(0); }' | tr -s ' ' | cat -v
# In UTF-8: C1, marks that turn writing round, and what is just text.
d -n 'BEGIN { printf("%s\n", strjoin("\302\2331m \342\200\256x \342\201\246 \330\234 \177 \r", "é\t.")); exit(0); }'
# Where the terminal is not UTF-8, no byte that it might obey.
LC_ALL=C d -n 'BEGIN { printf("%s\n", strjoin("\320\233", "\233.")); exit(0); }'
# A byte that belongs to no character.
d -n 'BEGIN { printf("%s|%c%c\n", strjoin("\233", "31m"), 27, 65); exit(0); }'
# The script's own: format, constant, in a variable, chosen, as a macro argument.
d -n 'BEGIN { x = "\033[0m"; printf("\033[1m%s%s%s%s\n", "\033[31m", x, 1 ? "\033[4m" : "", $$1); exit(0); }' "$(printf '\033[H')"
d -x rawtext -n 'BEGIN { printf("%s\n", strjoin("\033[", "2J")); exit(0); }'
"$ERLTRACE" -qn 'BEGIN { printf("%s\n", strjoin("\033[", "2J")); exit(0); }' | show
# What freopen() writes to is a file, and a command gets what it was given.
"$pty" "$ERLTRACE" -qwn 'BEGIN { freopen("%s", strjoin("fi", "le")); printf("%s\n", strjoin("\033[", "2J")); freopen(""); system("printf %%s %s | od -An -c", strjoin("\"\033", "\"")); exit(0); }'
show <file
# JSON says it in its own way, wherever it goes.
"$ERLTRACE" --json -qn 'BEGIN { trace(strjoin("\302\233", "\342\200\256")); exit(0); }' | grep -o '"text":"[^"]*"'
# Messages on a terminal.
"$pty" "$ERLTRACE" -qs "$bad.d" | show
