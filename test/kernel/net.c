/*
 * Known traffic over the loopback device, on $ADDRESS: net tcp N | refused N | udp N BYTES | udp6 N BYTES (on ::1).
 * tcp: N connections, 100 bytes in each. refused: N attempts where nobody listens.
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char *
address(void)
{
	const char *a = getenv("ADDRESS");
	return a ? a : "127.0.0.77";
}

static int
tcp(int n, int refused)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = inet_addr(address())};
	socklen_t len = sizeof a;
	char bytes[100] = {0};
	int s = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(s, (struct sockaddr *)&a, len) < 0 || getsockname(s, (struct sockaddr *)&a, &len) < 0 ||
	    (!refused && listen(s, 5) < 0))
		return 1;
	for (int i = 0; i < n; i++) {
		int c = socket(AF_INET, SOCK_STREAM, 0);
		if (connect(c, (struct sockaddr *)&a, len) < 0) {
			close(c);
			if (refused)
				continue;
			return 1;
		}
		int d = accept(s, NULL, NULL);
		if (write(c, bytes, sizeof bytes) < 0 || recv(d, bytes, sizeof bytes, MSG_WAITALL) < 0)
			return 1;
		close(c);
		close(d);
	}
	return 0;
}

static int
udp(struct sockaddr *a, socklen_t len, int n, size_t size)
{
	static char bytes[1 << 15];
	int to = socket(a->sa_family, SOCK_DGRAM, 0), from = socket(a->sa_family, SOCK_DGRAM, 0);
	if (bind(to, a, len) < 0 || getsockname(to, a, &len) < 0 || connect(from, a, len) < 0)
		return 1;
	for (int i = 0; i < n; i++)
		if (send(from, bytes, size, 0) < 0 || recv(to, bytes, sizeof bytes, 0) < 0)
			return 1;
	return 0;
}

int
main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 1;
	struct sockaddr_in a4 = {.sin_family = AF_INET, .sin_addr.s_addr = inet_addr(address())};
	struct sockaddr_in6 a6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	if (argc > 3 && strcmp(argv[1], "udp") == 0)
		return udp((struct sockaddr *)&a4, sizeof a4, n, (size_t)atol(argv[3]));
	if (argc > 3 && strcmp(argv[1], "udp6") == 0)
		return udp((struct sockaddr *)&a6, sizeof a6, n, (size_t)atol(argv[3]));
	return tcp(n, argc > 1 && strcmp(argv[1], "refused") == 0);
}
