/* Snapshots of one script, of several nodes, merged in one of them: a command with many nodes asks for that. */
#ifndef ET_OTP_MERGE_H
#define ET_OTP_MERGE_H

#include "script.h"

/* list: [Bytes], as script_snap() makes them. The first word of the result says only whether all were whole. Returns
 * false if one is no snapshot, or there is no memory. */
bool merge_snapshots(ErlNifEnv *env, const struct opened *s, ERL_NIF_TERM list, struct sbuf *out);

#endif
