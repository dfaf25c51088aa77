# A record may be as large as the buffer.
# @@engine: user a record of the kernel has at most 64 KiB
awk 'BEGIN { print "BEGIN { printf(\""; for (i = 0; i < 400; i++) printf "%%s"; printf "\\n\""; for (i = 0; i < 400; i++) printf ", \"ab\""; print "); exit(0); }" }' | tr -d '\n' >large.d
"$ERLTRACE" -q -xbufsize=128k -s large.d | awk 'NF { print length($0) }'
