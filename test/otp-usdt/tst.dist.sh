# Asserts that what goes to another node is seen, with the names of both nodes and the size.
# @@timeout: 90
. "$srcdir/common.sh"
name=usdt_far_$$
erl -sname ${name}_b -setcookie usdt -noshell -eval 'file:write_file("other", atom_to_list(node())).' >/dev/null 2>&1 &
b=$!
i=0
until [ -s other ] || [ $i -gt 300 ]; do sleep 0.1; i=$((i + 1)); done
OTHER=$(cat other)
export OTHER
vm far -sname ${name}_a -setcookie usdt
# An atom with an @ is quoted. The bytes of dist-outputv are not looked at: OTP 25 passes them before it has counted them.
traced out -x engine=kernel -n 'BEGIN { printf("on\n"); }
erlang*:::message-send-remote,erlang*:::message-send_remote
/copyinstr(arg1) == $$1 && strstr(copyinstr(arg2), "{nobody,") == copyinstr(arg2) && arg3 == 204/ { @[probename] = count(); }
erlang*:::dist-output,erlang*:::dist-outputv
/copyinstr(arg2) == $$1 && strstr(copyinstr(arg0), "_a@") != NULL && substr(copyinstr(arg1), 0, 6) == "#Port<"/ { @["dist-output"] = count(); }
END { printa("%s %@d\n", @); }' "'$OTHER'"
kill $b
awk '/^message/ { print } /^dist/ { print $1, ($2 >= 1) }' out | sort
