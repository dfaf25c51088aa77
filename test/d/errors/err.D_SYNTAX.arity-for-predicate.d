/* A function of Erlang without the name of a probe: its arity is not taken for a predicate without a word about that. */
/* @@stderr: expected '/' before '{' */
/* @@stderr: the probes of a function end with a name: lists:seq/2:entry, :return or :exception */
lists:seq/2 { }
