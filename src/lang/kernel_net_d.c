/*
 * What packets and connections are in the words of DTrace's ip, tcp and udp providers: a part of the library of
 * kernel_d.c. A packet that belongs to no socket yet has NULL for one, which reads as 0.
 */
#include "lang/lang.h"

#define VERSION "(*(uint8_t *)I >> 4)"
#define SIX "((struct ipv6hdr *)I)"
#define PROTOCOL_NAME(p) \
	"(" p " == 6 ? \"TCP\" : " p " == 17 ? \"UDP\" : " p " == 1 ? \"ICMP\" : " p " == 58 ? \"ICMPV6\" : " p \
	" == 2 ? \"IGMP\" : \"<unknown>\")"
#define SK "S->__sk_common."
#define LOCAL \
	"(S == NULL ? \"<unknown>\" : " SK "skc_family == AF_INET ? inet_ntop(AF_INET, &" SK "skc_rcv_saddr) : \n" \
	"	    inet_ntop(AF_INET6, &" SK "skc_v6_rcv_saddr))"
#define REMOTE \
	"(S == NULL ? \"<unknown>\" : " SK "skc_family == AF_INET ? inet_ntop(AF_INET, &" SK "skc_daddr) : \n" \
	"	    inet_ntop(AF_INET6, &" SK "skc_v6_daddr))"
#define OF_TCP(member) "S == NULL ? 0 : ((struct tcp_sock *)S)->" member

const char lang_kernel_net_d[] =
    "translator pktinfo_t < struct sk_buff *P > { pkt_addr = (uintptr_t)P; };\n"
    "translator csinfo_t < struct sock *S > {\n"
    "	cs_addr = (uintptr_t)S;\n"
    "	cs_cid = (uint64_t)S;\n"
    "};\n"
    "translator ipinfo_t < struct iphdr *I > {\n"
    "	ip_ver = " VERSION ";\n"
    "	ip_plength = " VERSION " == 4 ? ntohs(I->tot_len) - (*(uint8_t *)I & 15) * 4 : ntohs(" SIX "->payload_len);\n"
    "	ip_saddr = " VERSION " == 4 ? inet_ntop(AF_INET, &I->saddr) : inet_ntop(AF_INET6, &" SIX "->saddr);\n"
    "	ip_daddr = " VERSION " == 4 ? inet_ntop(AF_INET, &I->daddr) : inet_ntop(AF_INET6, &" SIX "->daddr);\n"
    "};\n"
    "translator ipinfo_t < struct sock *S > {\n"
    "	ip_ver = S == NULL ? 0 : " SK "skc_family == AF_INET ? 4 : 6;\n"
    "	ip_plength = 0;\n"
    "	ip_saddr = " LOCAL ";\n"
    "	ip_daddr = " REMOTE ";\n"
    "};\n"
    "translator ifinfo_t < struct net_device *N > {\n"
    "	if_name = N == NULL ? \"<null>\" : stringof(N->name);\n"
    "	if_local = N != NULL && (N->flags & 8);\n" /* IFF_LOOPBACK */
    "	if_addr = (uintptr_t)N;\n"
    "};\n"
    "translator ipv4info_t < struct iphdr *I > {\n"
    "	ipv4_ver = I == NULL ? 0 : " VERSION ";\n"
    "	ipv4_ihl = I == NULL ? 0 : (*(uint8_t *)I & 15) * 4;\n"
    "	ipv4_tos = I == NULL ? 0 : I->tos;\n"
    "	ipv4_length = I == NULL ? 0 : ntohs(I->tot_len);\n"
    "	ipv4_ident = I == NULL ? 0 : ntohs(I->id);\n"
    "	ipv4_flags = I == NULL ? 0 : ntohs(I->frag_off) >> 12;\n"
    "	ipv4_offset = I == NULL ? 0 : ntohs(I->frag_off) & 0x1fff;\n"
    "	ipv4_ttl = I == NULL ? 0 : I->ttl;\n"
    "	ipv4_protocol = I == NULL ? 0 : I->protocol;\n"
    "	ipv4_protostr = I == NULL ? \"<null>\" : " PROTOCOL_NAME(
	"I->protocol") ";\n"
		       "	ipv4_checksum = I == NULL ? 0 : ntohs(I->check);\n"
		       "	ipv4_src = I == NULL ? 0 : ntohl(I->saddr);\n"
		       "	ipv4_dst = I == NULL ? 0 : ntohl(I->daddr);\n"
		       "	ipv4_saddr = I == NULL ? \"<null>\" : inet_ntop(AF_INET, &I->saddr);\n"
		       "	ipv4_daddr = I == NULL ? \"<null>\" : inet_ntop(AF_INET, &I->daddr);\n"
		       "	ipv4_hdr = (uintptr_t)I;\n"
		       "};\n"
		       "translator ipv6info_t < struct ipv6hdr *I > {\n"
		       "	ipv6_ver = I == NULL ? 0 : " VERSION ";\n"
		       "	ipv6_tclass = I == NULL ? 0 : ntohl(*(uint32_t *)I) >> 20 & 0xff;\n"
		       "	ipv6_flow = I == NULL ? 0 : ntohl(*(uint32_t *)I) & 0xfffff;\n"
		       "	ipv6_plen = I == NULL ? 0 : ntohs(I->payload_len);\n"
		       "	ipv6_nexthdr = I == NULL ? 0 : I->nexthdr;\n"
		       "	ipv6_nextstr = I == NULL ? \"<null>\" : " PROTOCOL_NAME(
			   "I->nexthdr") ";\n"
					 "	ipv6_hlim = I == NULL ? 0 : I->hop_limit;\n"
					 "	ipv6_src = I == NULL ? 0 : (uintptr_t)&I->saddr;\n"
					 "	ipv6_dst = I == NULL ? 0 : (uintptr_t)&I->daddr;\n"
					 "	ipv6_saddr = I == NULL ? \"<null>\" : inet_ntop(AF_INET6, &I->saddr);\n"
					 "	ipv6_daddr = I == NULL ? \"<null>\" : inet_ntop(AF_INET6, &I->daddr);\n"
					 "	ipv6_hdr = (uintptr_t)I;\n"
					 "};\n"
					 "translator tcpinfo_t < struct tcphdr *T > {\n"
					 "	tcp_sport = T == NULL ? 0 : ntohs(T->source);\n"
					 "	tcp_dport = T == NULL ? 0 : ntohs(T->dest);\n"
					 "	tcp_seq = T == NULL ? 0 : ntohl(T->seq);\n"
					 "	tcp_ack = T == NULL ? 0 : ntohl(T->ack_seq);\n"
					 "	tcp_offset = T == NULL ? 0 : (((uint8_t *)T)[12] >> 4) * 4;\n"
					 "	tcp_flags = T == NULL ? 0 : ((uint8_t *)T)[13];\n"
					 "	tcp_window = T == NULL ? 0 : ntohs(T->window);\n"
					 "	tcp_checksum = T == NULL ? 0 : ntohs(T->check);\n"
					 "	tcp_urgent = T == NULL ? 0 : ntohs(T->urg_ptr);\n"
					 "	tcp_hdr = (uintptr_t)T;\n"
					 "};\n"
					 "translator tcpsinfo_t < struct sock *S > {\n"
					 "	tcps_addr = (uintptr_t)S;\n"
					 "	tcps_local = S != NULL && (" SK "skc_family == AF_INET ? " SK
					 "skc_rcv_saddr == " SK "skc_daddr :\n"
					 "	    *(uint64_t *)((uintptr_t)&" SK
					 "skc_v6_rcv_saddr + 8) == *(uint64_t *)((uintptr_t)&" SK
					 "skc_v6_daddr + 8));\n"
					 "	tcps_lport = S == NULL ? 0 : " SK "skc_num;\n"
					 "	tcps_rport = S == NULL ? 0 : ntohs(" SK "skc_dport);\n"
					 "	tcps_laddr = " LOCAL ";\n"
					 "	tcps_raddr = " REMOTE ";\n"
					 /* The state is told before the socket has it. */
					 "	tcps_state = S == NULL ? 0 : probename == \"send\" || probename == \"receive\" || probename == \"accept-refused\" ? " SK
					 "skc_state : arg6;\n"
					 "	tcps_suna = " OF_TCP(
					     "snd_una") ";\n"
							"	tcps_snxt = " OF_TCP(
							    "snd_nxt") ";\n"
								       "	tcps_rnxt = " OF_TCP(
									   "rcv_nxt") ";\n"
										      "	tcps_swnd = " OF_TCP(
											  "snd_wnd") ";\n"
												     "	tcps_rwnd = " OF_TCP(
													 "rcv_wnd") ";\n"
														    "	tcps_cwnd = " OF_TCP(
															"snd_cwnd") ";\n"
																    "	tcps_cwnd_ssthresh = " OF_TCP(
																	"snd_ssthresh") ";\n"
																			"	tcps_mss = " OF_TCP(
																			    "mss_cache") ";\n"
																					 "	tcps_retransmit = S == NULL ? 0 : ((struct inet_connection_sock *)S)->icsk_retransmits != 0;\n"
																					 "};\n"
																					 "translator tcplsinfo_t < int S > { tcps_state = S; };\n"
																					 "translator udpinfo_t < struct udphdr *U > {\n"
																					 "	udp_sport = U == NULL ? 0 : ntohs(U->source);\n"
																					 "	udp_dport = U == NULL ? 0 : ntohs(U->dest);\n"
																					 "	udp_length = U == NULL ? 0 : ntohs(U->len);\n"
																					 "	udp_checksum = U == NULL ? 0 : ntohs(U->check);\n"
																					 "	udp_hdr = (uintptr_t)U;\n"
																					 "};\n"
																					 "translator udpsinfo_t < struct sock *S > {\n"
																					 "	udps_addr = (uintptr_t)S;\n"
																					 "	udps_lport = S == NULL ? 0 : " SK
																					 "skc_num;\n"
																					 "	udps_rport = S == NULL ? 0 : ntohs(" SK
																					 "skc_dport);\n"
																					 "	udps_laddr = " LOCAL
																					 ";\n"
																					 "	udps_raddr = " REMOTE
																					 ";\n"
																					 "};\n";
