/*
 * ip, tcp and udp: packets when the kernel gives them to a network device (net_dev_queue) or takes them from one
 * (netif_receive_skb), including loopback; and the states of TCP connections (inet_sock_set_state).
 *
 * A packet that the device splits into several, or that was assembled from several on the way in, counts as one. On the
 * way in it is not known yet whose packet it is. Extension headers of IPv6 are not skipped.
 */
#include "provider/kernel/named.h"

#define PKT "struct sk_buff * : pktinfo_t *"
#define CS "struct sock * : csinfo_t *"
#define IP "struct iphdr * : ipinfo_t *"
#define IP_OF_SOCK "struct sock * : ipinfo_t *"
#define TCPS "struct sock * : tcpsinfo_t *"
static const char *const of_ip[] = {PKT, CS, IP, "struct net_device * : ifinfo_t *", "struct iphdr * : ipv4info_t *",
    "struct ipv6hdr * : ipv6info_t *", NULL};
static const char *const of_tcp[] = {PKT, CS, IP, TCPS, "struct tcphdr * : tcpinfo_t *", NULL};
static const char *const of_udp[] = {
    PKT, CS, IP, "struct sock * : udpsinfo_t *", "struct udphdr * : udpinfo_t *", NULL};
/* Without a packet args[0] and args[4] are NULL. */
static const char *const of_state[] = {
    PKT, CS, IP_OF_SOCK, TCPS, "struct tcphdr * : tcpinfo_t *", "int : tcplsinfo_t *", NULL};

/* enum of include/net/tcp_states.h */
enum { ESTABLISHED = 1, SYN_SENT, SYN_RECV, CLOSE = 7 };
enum { IPPROTO_ANY = 0, TCP = 6, UDP = 17, REFUSED = 111 /* ECONNREFUSED */ };

#define PART(which, way) \
	{ \
		.what = KA_PACKET, .n = 0, .size = (which) | (way) \
	}
#define PACKET(way, proto, third, fourth, fifth) \
	.nargs = 1, .when = {{.what = KW_PACKET, .n = 0, .value = (proto) | (way)}}, \
	.args = {NAMED_RAW(0), PART(RT_PKT_SOCK, way), PART(RT_PKT_IP, way), PART(third, way), PART(fourth, way), \
	    PART(fifth, way)}
#define SENT(pv, t, proto, ...) NAMED_TP(pv, "send", t, "net_dev_queue", PACKET(0, proto, __VA_ARGS__))
#define RECEIVED(pv, t, proto, ...) \
	NAMED_TP(pv, "receive", t, "netif_receive_skb", PACKET(RT_PKT_RECEIVED, proto, __VA_ARGS__))
#define IS(m, v) \
	{ \
		.what = KW_IS, .n = m, .value = v \
	}
#define FIELD(m, bytes, v) \
	{ \
		.what = KW_FIELD, .n = 0, .size = bytes, .type = "sock", .member = m, .value = v \
	}
#define STATE(name, ...) \
	NAMED_TP("tcp", name, of_state, "inet_sock_set_state", .nargs = 3, \
	    .when = {FIELD("sk_protocol", 2, TCP), ##__VA_ARGS__}, \
	    .args = {{.what = KA_NUMBER, .n = 0}, NAMED_RAW(0), NAMED_RAW(0), NAMED_RAW(0), \
		{.what = KA_NUMBER, .n = 0}, NAMED_RAW(1), NAMED_RAW(2)})

static const struct named rows[] = {
    SENT("ip", of_ip, IPPROTO_ANY, RT_PKT_DEV, RT_PKT_IP4, RT_PKT_IP6),
    RECEIVED("ip", of_ip, IPPROTO_ANY, RT_PKT_DEV, RT_PKT_IP4, RT_PKT_IP6),
    SENT("tcp", of_tcp, TCP, RT_PKT_SOCK, RT_PKT_NEXT, RT_PKT_NONE),
    RECEIVED("tcp", of_tcp, TCP, RT_PKT_SOCK, RT_PKT_NEXT, RT_PKT_NONE),
    NAMED_TP("tcp", "accept-refused", of_tcp, "net_dev_queue", .nargs = 1, .when = {{.what = KW_REFUSAL, .n = 0}},
	.args = {NAMED_RAW(0), PART(RT_PKT_NONE, 0), PART(RT_PKT_IP, 0), PART(RT_PKT_NONE, 0), PART(RT_PKT_NEXT, 0)}),
    STATE("state-change"),
    STATE("connect-request", IS(2, SYN_SENT)),
    STATE("connect-established", IS(1, SYN_SENT), IS(2, ESTABLISHED)),
    STATE("connect-refused", IS(1, SYN_SENT), IS(2, CLOSE), FIELD("sk_err", 4, REFUSED)),
    STATE("accept-established", IS(1, SYN_RECV), IS(2, ESTABLISHED)),
    SENT("udp", of_udp, UDP, RT_PKT_SOCK, RT_PKT_NEXT, RT_PKT_NONE),
    RECEIVED("udp", of_udp, UDP, RT_PKT_SOCK, RT_PKT_NEXT, RT_PKT_NONE),
    {0},
};

static bool
provide(struct probes *ps, const struct provider *pv)
{
	return named_provide(ps, pv, rows);
}

#define NET_PROVIDER(pv, called) \
	static const struct pv_text argnames_of_##pv[] = {{"*", called}, {0}}; \
	const struct provider provider_##pv = {.name = #pv, \
	    .provide = provide, \
	    .kernel = true, \
	    .start = named_start, \
	    .argnames = argnames_of_##pv, \
	    .stability = "Evolving/Evolving/ISA"}
NET_PROVIDER(ip, "packet,connection,ip,interface,ipv4,ipv6");
NET_PROVIDER(tcp, "packet,connection,ip,socket,tcp,old_state");
NET_PROVIDER(udp, "packet,connection,ip,socket,udp");
