# Asserts that tcp reports connections made, accepted and refused, that each packet of TCP and UDP is reported once as
# sent and once as received, with its addresses, sizes and flags, and that ip has them by protocol.
. "$srcdir/common.sh"
# @@timeout: 60
${CC:-cc} -O1 -o net "$srcdir/net.c" || exit 1
./net udp 1 1 || { echo "no loopback device" >&2; exit 67; }
$K -n 'tcp:::connect-request,tcp:::connect-established,tcp:::accept-established /args[2]->ip_daddr == "'$ADDRESS'" || args[3]->tcps_laddr == "'$ADDRESS'"/
    { @[probename, args[3]->tcps_state == TCP_STATE_ESTABLISHED] = count(); }' -c './net tcp 40' 2>&1 | awk 'NF && !/never fired/ { print $1, $2, $3 }' | sort
$K -n 'tcp:::connect-request,tcp:::connect-refused,tcp:::connect-established /args[2]->ip_daddr == "'$ADDRESS'"/ { @[probename] = count(); }' -c './net refused 9' 2>&1 | awk 'NF && !/never fired/ { print $1, $2 }' | sort
$K -n 'tcp:::accept-refused /args[2]->ip_saddr == "'$ADDRESS'" && args[4]->tcp_flags & TH_RST/ { @[probename] = count(); }' -c './net refused 9' 2>&1 | awk 'NF && !/never fired/ { print $1, $2 }'
$K -n 'tcp:::accept-refused /args[2]->ip_saddr == "'$ADDRESS'"/ { @[probename] = count(); } END { printa(@); }' -c './net tcp 5' 2>&1 | awk 'NF && !/never fired/ { print $1, $2 }'
$K -n 'tcp:::send,tcp:::receive /args[2]->ip_daddr == "'$ADDRESS'" && args[4]->tcp_flags & TH_SYN && !(args[4]->tcp_flags & TH_ACK)/ { @[probename] = count(); }
    tcp:::send /args[2]->ip_daddr == "'$ADDRESS'"/ { @bytes = sum(args[2]->ip_plength - args[4]->tcp_offset); }' -c './net tcp 40' 2>&1 | awk 'NF && !/never fired/ { print $1, $2 }' | sort
$K -n 'udp:::send,udp:::receive /args[2]->ip_saddr == "'$ADDRESS'" || args[2]->ip_daddr == "'$ADDRESS'"/ { @[probename, args[4]->udp_length, args[2]->ip_ver] = count(); }' \
    -c './net udp 25 1000' 2>&1 | awk 'NF && !/never fired/ { print $1, $2, $3, $4 }' | sort
$K -n 'ip:::send,ip:::receive /args[4]->ipv4_daddr == "'$ADDRESS'" && args[4]->ipv4_protocol == IPPROTO_UDP && args[3]->if_local/ { @[probename, args[3]->if_name] = sum(args[4]->ipv4_length); }' \
    -c './net udp 25 1000' 2>&1 | awk 'NF && !/never fired/ { print $1, $2, $3 }' | sort
if ./net udp6 1 1; then
	n=$((1000 + $$ % 20000)) # and ::1 is everybody's
	$K -n 'udp:::send,udp:::receive /args[2]->ip_ver == 6 && args[4]->udp_length == '$((n + 8))'/ { @[probename, args[2]->ip_saddr] = count(); }' -c "./net udp6 6 $n" 2>&1 | awk 'NF && !/never fired/ { print $1, $2, $3 }' | sort
else
	printf 'receive ::1 6\nsend ::1 6\n'
fi
