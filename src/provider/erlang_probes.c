/* See erlang_probes.h. */
#include "provider/erlang_probes.h"

#include "provider/erlang.h"

#include <string.h>

const struct erl_row erl_rows[ERL_NROWS] = {
#define X(id, name, aliases, types, arguments, ...) [ERLP_##id] = {name, aliases, types, arguments, {__VA_ARGS__}},
    ERL_PROBES(X)
#undef X
};

/* Whether `name` is one of the words of `aliases`. */
bool
erl_is_alias(const char *aliases, const char *name)
{
	size_t len = strlen(name);
	for (const char *at = aliases; *at; at += strcspn(at, " "), at += *at == ' ')
		if (strcspn(at, " ") == len && strncmp(at, name, len) == 0)
			return true;
	return false;
}

const struct erl_row *
erl_row_named(const char *name)
{
	for (unsigned i = 0; i < ERL_NROWS; i++)
		if (strcmp(erl_rows[i].name, name) == 0 || erl_is_alias(erl_rows[i].aliases, name))
			return &erl_rows[i];
	return NULL;
}

const char *
erlang_arg_names(const struct probe *p)
{
	/* of functions; the names that the arguments have in the source are not in the code */
	static const struct {
		const char *name, *arguments;
	} functions[] = {{"return", "value"}, {"exception", "class,reason"}};
	const char *name = p->names[3];
	if (p->pv != &provider_erlang)
		return NULL;
	for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
		if (strcmp(functions[i].name, name) == 0)
			return functions[i].arguments;
	const struct erl_row *r = erl_row_named(name);
	return r ? r->arguments : strncmp(name, "user_trace-n", 12) == 0 ? ERL_I4S4_NAMES : NULL;
}
