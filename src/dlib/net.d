/* What the arguments of ip, tcp and udp point at. Only translators make them (kernel/net.d). */
typedef struct pktinfo { uintptr_t pkt_addr; } pktinfo_t;
typedef struct csinfo { uintptr_t cs_addr; uint64_t cs_cid; int cs_pid; } csinfo_t;
typedef struct ipinfo { uint8_t ip_ver; uint32_t ip_plength; char ip_saddr[48], ip_daddr[48]; } ipinfo_t;
typedef struct ifinfo { char if_name[16]; int8_t if_local; uintptr_t if_addr; } ifinfo_t;
typedef struct ipv4info {
	uint8_t ipv4_ver, ipv4_ihl, ipv4_tos; uint16_t ipv4_length, ipv4_ident; uint8_t ipv4_flags;
	uint16_t ipv4_offset;
	uint8_t ipv4_ttl, ipv4_protocol; char ipv4_protostr[16]; uint16_t ipv4_checksum; uint32_t ipv4_src, ipv4_dst;
	char ipv4_saddr[16], ipv4_daddr[16]; uintptr_t ipv4_hdr;
} ipv4info_t;
typedef struct ipv6info {
	uint8_t ipv6_ver, ipv6_tclass; uint32_t ipv6_flow; uint16_t ipv6_plen; uint8_t ipv6_nexthdr;
	char ipv6_nextstr[16];
	uint8_t ipv6_hlim; uintptr_t ipv6_src, ipv6_dst; char ipv6_saddr[48], ipv6_daddr[48]; uintptr_t ipv6_hdr;
} ipv6info_t;
typedef struct tcpinfo {
	uint16_t tcp_sport, tcp_dport; uint32_t tcp_seq, tcp_ack; uint8_t tcp_offset, tcp_flags;
	uint16_t tcp_window, tcp_checksum, tcp_urgent; uintptr_t tcp_hdr;
} tcpinfo_t;
typedef struct tcpsinfo {
	uintptr_t tcps_addr; int tcps_local, tcps_active; uint16_t tcps_lport, tcps_rport;
	char tcps_laddr[48], tcps_raddr[48]; int tcps_state; uint32_t tcps_suna, tcps_snxt, tcps_rnxt,
	    tcps_swnd, tcps_rwnd, tcps_cwnd, tcps_cwnd_ssthresh, tcps_mss; int tcps_retransmit;
} tcpsinfo_t;
typedef struct tcplsinfo { int tcps_state; } tcplsinfo_t;
typedef struct udpinfo {
	uint16_t udp_sport, udp_dport, udp_length, udp_checksum; uintptr_t udp_hdr;
} udpinfo_t;
typedef struct udpsinfo {
	uintptr_t udps_addr; uint16_t udps_lport, udps_rport; char udps_laddr[48], udps_raddr[48];
} udpsinfo_t;
