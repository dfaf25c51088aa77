# -p in a sidecar, as Kubernetes makes it for debugging: it shares processes and network with the node, not its files. It
# needs no right if it has the node's user, and as root only those that a container has anyway (neither ptrace nor
# sys_admin): the cookie is in a file that only the node's user can read.
. "$srcdir/lib.sh"
. "$srcdir/container.sh"
there=$(mktemp -d) || exit
trap 'node_end; rm -rf --one-file-system "$there"' EXIT
chmod 755 "$there"
mkdir "$there/root"
cp "$ERLTRACE" "$there/erltrace"
inside '-n -m -u -p --mount-proc' "ip link set lo up; hostname pod; mount -t tmpfs tmpfs $there/root
	for d in /*; do
		case \$d in
		/tmp | /home) ;;
		*) if [ -L \$d ]; then cp -P \$d $there/root; elif [ -d \$d ]; then mkdir $there/root\$d; mount --rbind \$d $there/root\$d; fi ;;
		esac
	done
	mkdir $there/root/home; mkdir -m 1777 $there/root/tmp
	printf of_the_app >$there/root/home/.erlang.cookie; chmod 400 $there/root/home/.erlang.cookie; chown -R 65534 $there/root/home
	export HOME=/home
	exec chroot $there/root setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all --inh-caps=-all \"\$ERL_THERE\" \"\$@\"" -sname box
cat >sidecar <<END
#!/bin/sh
exec nsenter -t $INNER -p -n unshare -m -u sh -c 'mount -t proc proc /proc && mount -t tmpfs tmpfs /mnt && cp $there/erltrace /mnt && mount -t tmpfs tmpfs /tmp &&
	hostname pod && export HOME=/nowhere && exec setpriv \$RIGHTS /mnt/erltrace "\$@"' sh "\$@"
END
chmod +x sidecar
sidecar() { # sidecar OPTIONS: of setpriv
	RIGHTS=$* ./sidecar -q -p 1 -x switchrate=20ms -n 'erlang$target:::process-spawn /copyinstr(arg1) == "lists:seq/2"/ { printf("traced as %d\n", $target); exit(0); } tick-30s { exit(9); }' 2>&1 | sed /^$/d
}
echo '-- the user of the node'
sidecar --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs
echo '-- root'
sidecar --bounding-set=-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw,+sys_chroot,+mknod,+audit_write,+setfcap --inh-caps=-all
echo '-- another user'
sidecar --reuid=65533 --regid=65533 --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs
find "/proc/$INNER/root/tmp" -type f
