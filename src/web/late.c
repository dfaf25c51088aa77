/*
 * Only the page and `erltrace export` need libwebsockets, so it is loaded when they start and not with the command. The
 * command runs where that library is not installed, and starts faster without it and the ten libraries that it needs.
 *
 * Here is every function of it that they call; each hands on to the library. To use another function, add a
 * line here; the linker reports one that is missing. LWS_SONAME is the file that this was built against.
 *
 * A static build (src/release) has the library inside.
 */
#include "web/late.h"

#include <errno.h>
#include <libwebsockets.h>
#include <string.h>
#include <unistd.h>

/* The library opens this file and keeps it open; without it, it only says that it cannot start. */
static bool
has_random(struct why *why)
{
	bool has = access("/dev/urandom", R_OK) == 0;
	if (!has)
		why_set(why, "this needs /dev/urandom: %s", strerror(errno));
	return has;
}

#ifdef ET_STATIC
bool
late_load(struct why *why)
{
	return has_random(why);
}

#else
#include <dlfcn.h>
#include <stdio.h>

#define P(...) (__VA_ARGS__)
/* F returns a value, V does not */
#define FUNCTIONS(F, V) \
	F(int, lws_add_http_common_headers, \
	    P(struct lws *w, unsigned c, const char *t, lws_filepos_t n, unsigned char **p, unsigned char *e), \
	    P(w, c, t, n, p, e)) \
	F(int, lws_add_http_header_by_name, \
	    P(struct lws *w, const unsigned char *name, const unsigned char *v, int n, unsigned char **p, \
		unsigned char *e), \
	    P(w, name, v, n, p, e)) \
	F(int, lws_callback_on_writable, P(struct lws *w), P(w)) \
	V(lws_cancel_service, P(struct lws_context *c), P(c)) \
	V(lws_context_destroy, P(struct lws_context *c), P(c)) \
	F(void *, lws_context_user, P(struct lws_context *c), P(c)) \
	F(struct lws_context *, lws_create_context, P(const struct lws_context_creation_info *i), P(i)) \
	F(struct lws_vhost *, lws_create_vhost, P(struct lws_context *c, const struct lws_context_creation_info *i), \
	    P(c, i)) \
	F(int, lws_finalize_write_http_header, \
	    P(struct lws *w, unsigned char *s, unsigned char **p, unsigned char *e), P(w, s, p, e)) \
	F(struct lws_context *, lws_get_context, P(const struct lws *w), P(w)) \
	F(void *, lws_get_opaque_user_data, P(const struct lws *w), P(w)) \
	F(const char *, lws_get_urlarg_by_name, P(struct lws *w, const char *name, char *b, int n), P(w, name, b, n)) \
	F(int, lws_get_vhost_listen_port, P(struct lws_vhost *v), P(v)) \
	F(int, lws_hdr_copy, P(struct lws *w, char *to, int n, enum lws_token_indexes h), P(w, to, n, h)) \
	F(int, lws_hdr_total_length, P(struct lws *w, enum lws_token_indexes h), P(w, h)) \
	F(int, lws_http_transaction_completed, P(struct lws *w), P(w)) \
	F(int, lws_is_final_fragment, P(struct lws *w), P(w)) \
	F(size_t, lws_remaining_packet_payload, P(struct lws *w), P(w)) \
	F(int, lws_service, P(struct lws_context *c, int ms), P(c, ms)) \
	V(lws_set_log_level, P(int level, void (*emit)(int level, const char *line)), P(level, emit)) \
	V(lws_set_opaque_user_data, P(struct lws *w, void *data), P(w, data)) \
	V(lws_set_timeout, P(struct lws *w, enum pending_timeout why, int s), P(w, why, s)) \
	V(lws_sul_schedule, P(struct lws_context *c, int t, lws_sorted_usec_list_t *l, sul_cb_t cb, lws_usec_t us), \
	    P(c, t, l, cb, us)) \
	F(int, lws_timingsafe_bcmp, P(const void *a, const void *b, uint32_t n), P(a, b, n)) \
	F(int, lws_write, P(struct lws *w, unsigned char *b, size_t n, enum lws_write_protocol p), P(w, b, n, p))

#define POINTER(type, name, params, args) __typeof__(name) *name;
#define POINTER_V(name, params, args) __typeof__(name) *name;
static struct {
	FUNCTIONS(POINTER, POINTER_V)
} library;

#define HAND_ON(type, name, params, args) \
	type name params \
	{ \
		return library.name args; \
	}
#define HAND_ON_V(name, params, args) \
	void name params \
	{ \
		library.name args; \
	}
FUNCTIONS(HAND_ON, HAND_ON_V)

/* dlsym(3) gives an object pointer; this makes a function pointer of it. */
static bool
find(void *so, const char *name, void *at)
{
	void *found = dlsym(so, name);
	memcpy(at, &found, sizeof found);
	return found != NULL;
}

bool
late_load(struct why *why)
{
	void *so = dlopen(LWS_SONAME, RTLD_NOW | RTLD_LOCAL); /* stays until the process ends */
	if (!so) {
		why_set(why, "this needs %s (Debian: the package of libwebsockets): %s", LWS_SONAME, dlerror());
		return false;
	}
#define FIND(type, name, params, args) &&find(so, #name, &library.name)
#define FIND_V(name, params, args) &&find(so, #name, &library.name)
	bool all = true FUNCTIONS(FIND, FIND_V);
	if (!all)
		why_set(why, "%s is not the one that this command was built for: %s", LWS_SONAME, dlerror());
	return all && has_random(why);
}
#endif
