/*
 * Packets and connections in the terms of DTrace's ip, tcp and udp providers: part of the library of the kernel's
 * probes (see psinfo.d). A packet that belongs to no socket yet has NULL for it, which reads as 0.
 */

#define VERSION (*(uint8_t *)I >> 4)
#define SIX ((struct ipv6hdr *)I)
#define PROTOCOL_NAME(p) \
	(p == 6 ? "TCP" : p == 17 ? "UDP" : p == 1 ? "ICMP" : p == 58 ? "ICMPV6" : p == 2 ? "IGMP" : "<unknown>")
#define SK(member) S->__sk_common.member
#define LOCAL \
	(S == NULL ? "<unknown>" : SK(skc_family) == AF_INET ? inet_ntop(AF_INET, &SK(skc_rcv_saddr)) : inet_ntop(AF_INET6, &SK(skc_v6_rcv_saddr)))
#define REMOTE \
	(S == NULL ? "<unknown>" : SK(skc_family) == AF_INET ? inet_ntop(AF_INET, &SK(skc_daddr)) : inet_ntop(AF_INET6, &SK(skc_v6_daddr)))
#define OF_TCP(member) S == NULL ? 0 : ((struct tcp_sock *)S)->member

translator pktinfo_t < struct sk_buff *P > { pkt_addr = (uintptr_t)P; };
translator csinfo_t < struct sock *S > {
	cs_addr = (uintptr_t)S;
	cs_cid = (uint64_t)S;
};
translator ipinfo_t < struct iphdr *I > {
	ip_ver = VERSION;
	ip_plength = VERSION == 4 ? ntohs(I->tot_len) - (*(uint8_t *)I & 15) * 4 : ntohs(SIX->payload_len);
	ip_saddr = VERSION == 4 ? inet_ntop(AF_INET, &I->saddr) : inet_ntop(AF_INET6, &SIX->saddr);
	ip_daddr = VERSION == 4 ? inet_ntop(AF_INET, &I->daddr) : inet_ntop(AF_INET6, &SIX->daddr);
};
translator ipinfo_t < struct sock *S > {
	ip_ver = S == NULL ? 0 : SK(skc_family) == AF_INET ? 4 : 6;
	ip_plength = 0;
	ip_saddr = LOCAL;
	ip_daddr = REMOTE;
};
translator ifinfo_t < struct net_device *N > {
	if_name = N == NULL ? "<null>" : stringof(N->name);
	if_local = N != NULL && (N->flags & 8); /* IFF_LOOPBACK */
	if_addr = (uintptr_t)N;
};
translator ipv4info_t < struct iphdr *I > {
	ipv4_ver = I == NULL ? 0 : VERSION;
	ipv4_ihl = I == NULL ? 0 : (*(uint8_t *)I & 15) * 4;
	ipv4_tos = I == NULL ? 0 : I->tos;
	ipv4_length = I == NULL ? 0 : ntohs(I->tot_len);
	ipv4_ident = I == NULL ? 0 : ntohs(I->id);
	ipv4_flags = I == NULL ? 0 : ntohs(I->frag_off) >> 12;
	ipv4_offset = I == NULL ? 0 : ntohs(I->frag_off) & 0x1fff;
	ipv4_ttl = I == NULL ? 0 : I->ttl;
	ipv4_protocol = I == NULL ? 0 : I->protocol;
	ipv4_protostr = I == NULL ? "<null>" : PROTOCOL_NAME(I->protocol);
	ipv4_checksum = I == NULL ? 0 : ntohs(I->check);
	ipv4_src = I == NULL ? 0 : ntohl(I->saddr);
	ipv4_dst = I == NULL ? 0 : ntohl(I->daddr);
	ipv4_saddr = I == NULL ? "<null>" : inet_ntop(AF_INET, &I->saddr);
	ipv4_daddr = I == NULL ? "<null>" : inet_ntop(AF_INET, &I->daddr);
	ipv4_hdr = (uintptr_t)I;
};
translator ipv6info_t < struct ipv6hdr *I > {
	ipv6_ver = I == NULL ? 0 : VERSION;
	ipv6_tclass = I == NULL ? 0 : ntohl(*(uint32_t *)I) >> 20 & 0xff;
	ipv6_flow = I == NULL ? 0 : ntohl(*(uint32_t *)I) & 0xfffff;
	ipv6_plen = I == NULL ? 0 : ntohs(I->payload_len);
	ipv6_nexthdr = I == NULL ? 0 : I->nexthdr;
	ipv6_nextstr = I == NULL ? "<null>" : PROTOCOL_NAME(I->nexthdr);
	ipv6_hlim = I == NULL ? 0 : I->hop_limit;
	ipv6_src = I == NULL ? 0 : (uintptr_t)&I->saddr;
	ipv6_dst = I == NULL ? 0 : (uintptr_t)&I->daddr;
	ipv6_saddr = I == NULL ? "<null>" : inet_ntop(AF_INET6, &I->saddr);
	ipv6_daddr = I == NULL ? "<null>" : inet_ntop(AF_INET6, &I->daddr);
	ipv6_hdr = (uintptr_t)I;
};
translator tcpinfo_t < struct tcphdr *T > {
	tcp_sport = T == NULL ? 0 : ntohs(T->source);
	tcp_dport = T == NULL ? 0 : ntohs(T->dest);
	tcp_seq = T == NULL ? 0 : ntohl(T->seq);
	tcp_ack = T == NULL ? 0 : ntohl(T->ack_seq);
	tcp_offset = T == NULL ? 0 : (((uint8_t *)T)[12] >> 4) * 4;
	tcp_flags = T == NULL ? 0 : ((uint8_t *)T)[13];
	tcp_window = T == NULL ? 0 : ntohs(T->window);
	tcp_checksum = T == NULL ? 0 : ntohs(T->check);
	tcp_urgent = T == NULL ? 0 : ntohs(T->urg_ptr);
	tcp_hdr = (uintptr_t)T;
};
translator tcpsinfo_t < struct sock *S > {
	tcps_addr = (uintptr_t)S;
	tcps_local = S != NULL && (SK(skc_family) == AF_INET ? SK(skc_rcv_saddr) == SK(skc_daddr) :
	    *(uint64_t *)((uintptr_t)&SK(skc_v6_rcv_saddr) + 8) == *(uint64_t *)((uintptr_t)&SK(skc_v6_daddr) + 8));
	tcps_lport = S == NULL ? 0 : SK(skc_num);
	tcps_rport = S == NULL ? 0 : ntohs(SK(skc_dport));
	tcps_laddr = LOCAL;
	tcps_raddr = REMOTE;
	/* The tracepoint comes before the socket has the new state. */
	tcps_state = S == NULL ? 0 : probename == "send" || probename == "receive" || probename == "accept-refused" ? SK(skc_state) : arg6;
	tcps_suna = OF_TCP(snd_una);
	tcps_snxt = OF_TCP(snd_nxt);
	tcps_rnxt = OF_TCP(rcv_nxt);
	tcps_swnd = OF_TCP(snd_wnd);
	tcps_rwnd = OF_TCP(rcv_wnd);
	tcps_cwnd = OF_TCP(snd_cwnd);
	tcps_cwnd_ssthresh = OF_TCP(snd_ssthresh);
	tcps_mss = OF_TCP(mss_cache);
	tcps_retransmit = S == NULL ? 0 : ((struct inet_connection_sock *)S)->icsk_retransmits != 0;
};
translator tcplsinfo_t < int S > { tcps_state = S; };
translator udpinfo_t < struct udphdr *U > {
	udp_sport = U == NULL ? 0 : ntohs(U->source);
	udp_dport = U == NULL ? 0 : ntohs(U->dest);
	udp_length = U == NULL ? 0 : ntohs(U->len);
	udp_checksum = U == NULL ? 0 : ntohs(U->check);
	udp_hdr = (uintptr_t)U;
};
translator udpsinfo_t < struct sock *S > {
	udps_addr = (uintptr_t)S;
	udps_lport = S == NULL ? 0 : SK(skc_num);
	udps_rport = S == NULL ? 0 : ntohs(SK(skc_dport));
	udps_laddr = LOCAL;
	udps_raddr = REMOTE;
};
