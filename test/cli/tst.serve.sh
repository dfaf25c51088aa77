# erltrace serve refuses what it cannot do and says how to do it instead. A build without the page says what is missing.
if "$ERLTRACE" serve --help 2>err | grep -q '^Usage: erltrace serve'; then
	"$ERLTRACE" serve --listen 0.0.0.0 2>err
	[ $? = 2 ] && grep -q 'needs --tls-cert and --tls-key, or --insecure: 0.0.0.0' err || { cat err; exit 1; }
	"$ERLTRACE" serve --nosuch 2>err
	[ $? = 2 ] && grep -q "^erltrace serve: unrecognized option '--nosuch'" err || { cat err; exit 1; }
	"$ERLTRACE" serve -N '' 2>err
	[ $? = 2 ] && grep -q "takes the name of a node" err || { cat err; exit 1; }
	"$ERLTRACE" serve --port 70000 2>err
	[ $? = 2 ] && grep -q 'a port is a number up to 65535: 70000' err || { cat err; exit 1; }
	"$ERLTRACE" serve --tls-cert x 2>err
	[ $? = 2 ] && grep -q 'TLS needs both' err || { cat err; exit 1; }
	"$ERLTRACE" serve --port 0 --scripts ./nothing 2>err
	[ $? = 1 ] && grep -q 'cannot read the folder ./nothing: No such file' err || { cat err; exit 1; }
	"$ERLTRACE" serve --port 0 --tls-cert ./none --tls-key ./none 2>err
	[ $? = 1 ] && grep -q 'TLS files' err || { cat err; exit 1; }
else
	grep -q 'built without the page; build it where libwebsockets and jansson are' err || { cat err; exit 1; }
fi
echo done
