/* Subroutines that show network addresses as text. */
#include "engine/user/user.h"

#include <arpa/inet.h>
#include <net/if_arp.h>
#include <stdio.h>

static bool
ntop(struct activation *r, int family, uint64_t addr, uint64_t *result)
{
	unsigned char bytes[16];
	char text[INET6_ADDRSTRLEN];
	if (!mem_get(r, addr, bytes, family == AF_INET ? 4 : 16))
		return false;
	inet_ntop(family, bytes, text, sizeof text);
	return scratch_str(r, text, strlen(text), result);
}

SUBR(INET_NTOA)
{
	UNUSED;
	return ntop(r, AF_INET, arg[0], result);
}

/* An IPv4 address inside an IPv6 one is written as IPv4, unless the second argument keeps its prefix. */
SUBR(INET_NTOA6)
{
	struct in6_addr in6;
	if (nargs > 1 && arg[1])
		return ntop(r, AF_INET6, arg[0], result);
	if (!mem_get(r, arg[0], &in6, sizeof in6))
		return false;
	bool is4 = IN6_IS_ADDR_V4MAPPED(&in6) || IN6_IS_ADDR_V4COMPAT(&in6);
	return ntop(r, is4 ? AF_INET : AF_INET6, arg[0] + (is4 ? 12 : 0), result);
}

SUBR(INET_NTOP)
{
	UNUSED;
	int family = (int)arg[0];
	if (family != AF_INET && family != AF_INET6)
		return fail(r, DIF_FAULT_ILLOP, 0);
	return ntop(r, family, arg[1], result);
}

/* Hardware addresses: bytes in hexadecimal with colons. */
SUBR(LINK_NTOP)
{
	UNUSED;
	unsigned char bytes[20];
	char text[sizeof bytes * 3 + 1];
	size_t n, at = 0;
	switch ((int)arg[0]) {
	case ARPHRD_ETHER:
		n = 6;
		break;
	case ARPHRD_INFINIBAND:
		n = 20;
		break;
	default:
		return fail(r, DIF_FAULT_ILLOP, 0);
	}
	if (!mem_get(r, arg[1], bytes, n))
		return false;
	for (size_t i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, sizeof text - at, "%s%02x", i ? ":" : "", bytes[i]);
	return scratch_str(r, text, at, result);
}
