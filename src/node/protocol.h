/*
 * What the command and the agent in a node (erltrace_agent.erl) say to each other.
 *
 * A request is the message {erltrace, From, Ref, Request}; its answer is {Ref, Reply}. Whatever goes wrong is answered
 * with {error, Text}. Fields have names. The sender of a map sends all of its fields; the reader skips fields that it
 * does not know. All names are those below. A script adds none, because each would be an atom that the node keeps.
 *
 *   request                               reply
 *   {open, Open}                          {ok, #{memory => Fd, places => Places}}
 *   {bind, [Binding]}                     {ok, [Index]}, one for each binding
 *   start                                 {ok, [Epid]}
 *   {fire, Index}                         ok
 *   go                                    {ok, #{notes => [Text], ways => [Text]}}
 *   status                                Status
 *   work                                  #{status => Status, records => Bytes, aggregations => Bytes}: node/wire.h
 *   records                               #{status => Status, records => Bytes}
 *   {merge, Seen, Ms, [Below]}            {ok, #{of => [Number], aggregations => Bytes}}: this agent's snapshot, merged
 *                                         with those below. Below: {Agent, Seen, [Below]}. Agents ask each
 *                                         other the same with erltrace_below instead of erltrace
 *   stop                                  ok
 *   fired                                 Bytes, by Index: 1 when the probe has fired
 *   {symbol, Number}                      Text: the function that a frame of a stack stands for
 *   {names, [Pid]}                        {ok, [Text]}: what the processes are called; <<>>: not known
 *   {process, Name}                       {ok, Pid}: the process that is registered under a name, or the pid itself,
 *                                         with or without its brackets; <<>>: there is none. Both are texts
 *   {functions, Module, Function}         {ok, [{Module, Function}]}: what two globs match
 *   {nodes, visible | hidden}             {ok, [Name]}: the nodes that this one knows now, with or without hidden ones.
 *                                         From then on it notes when that changes (Status)
 *   clock                                 {ok, Ns}: the monotonic time of the node's machine
 *   alive                                 ok: the client is still there
 *   close                                 ok, and the agent ends
 *
 *   Open     #{protocol => NODE_PROTOCOL, object => Bytes, conf => Conf, nonce => Bytes}
 *            Conf: NODE_CONF. The nonce has 16 bytes: then the engine's memory can be read when the node has died, and
 *            Fd is the node's descriptor of it. Or it has none, and Fd is -1.
 *   Places   addresses in the node: of the script's site and key, of the table of threads, and of the node's name, for
 *            programs in the kernel (object/node_event.h). And socket: the node's descriptor, plus one, to which a
 *            map for that table can be sent before `go` (otp/erltrace/c_src/seen.h); 0 if there is none
 *   Binding  #{id => Id, probe => {Provider, Module, Function, Name}, clause => Clause, facts => [{Argument, [Text]}]}
 *            The facts: what the clause's predicate says of its arguments (object/narrow.h).
 *   Epid     #{epid => Epid, probe => Index, clause => Clause, group => Group}: struct eng_epid
 *   Seen     the number of the agent's last snapshot that has come to the command. If there is a newer one, it is sent
 *            again (its number in `of` is negative then); otherwise a new one is made. So none is lost and none counts
 *            twice, whatever becomes of an answer. After the first {merge, …} `work` is not asked for any more.
 *   Number   of the snapshot that is in the answer; 0 if there is none, because that agent did not answer within Ms, or
 *            its node is not connected. In the order of the request.
 *   Notes    say what cannot be traced, ways how something is traced: they are for those who ask.
 *   Status   NODE_STATUS, and #{drops => #{Why => Count}, ended => Text, nodes => Count}
 *            Why is a name of ENG_DROPS; those that have lost nothing are left out. Text says why the node has ended
 *            the script; <<>>: it has not. nodes: how often one came or went since {nodes, _} was first
 *            asked.
 *
 * Before all that the command asks erltrace_agent:info(): #{protocol => NODE_PROTOCOL, os_pid => Pid}.
 */
#ifndef ET_NODE_PROTOCOL_H
#define ET_NODE_PROTOCOL_H

#include "engine/engine.h"

#include <stdint.h>

/* It changes with every change of the above, of wire.h or of the engine's memory. Command and agent tell each other
 * theirs, and neither goes on with a different one. The agent has it as ?PROTOCOL. */
enum { NODE_PROTOCOL = 14 };

/* How a script is to run. X(name, field of struct eng_conf, least, most). */
#define NODE_CONF(X) \
	X(strsize, sizes.strsize, 9, 65537) /* with the NUL */ \
	X(stackframes, sizes.stackframes, 0, UINT32_MAX) \
	X(ustackframes, sizes.ustackframes, 0, UINT32_MAX) \
	X(jstackframes, sizes.jstackframes, 0, UINT32_MAX) \
	X(jstackstrsize, sizes.jstackstrsize, 0, UINT32_MAX) \
	X(bufsize, bufsize, 0, UINT32_MAX) \
	X(bufpolicy, bufpolicy, BUF_SWITCH, BUF_FILL) \
	X(aggsize, aggsize, 0, UINT32_MAX) \
	X(dynvarsize, dynvarsize, 0, UINT32_MAX) \
	X(specsize, specsize, 0, UINT32_MAX) \
	X(scratchsize, scratchsize, 0, UINT32_MAX) \
	X(nspec, nspec, 0, UINT32_MAX) \
	X(destructive, destructive, 0, 1) \
	X(maxoverhead, maxoverhead, 0, UINT32_MAX) \
	X(maxfire, maxfire, 0, 1000000000) \
	X(termbytes, termbytes, ENG_TERMBYTES_LEAST, ENG_TERMBYTES_MOST) \
	X(termparts, termparts, ENG_TERMPARTS_LEAST, ENG_TERMPARTS_MOST) \
	X(counters, counters, 0, 1) \
	X(countpart, countpart, 1, ENG_COUNTPART_MOST) \
	X(sample, sample, 1, ENG_SAMPLE_MOST) \
	X(forward, forward, 0, UINT64_MAX)

enum node_conf_field {
#define X(name, field, least, most) NODE_CONF_##name,
	NODE_CONF(X)
#undef X
	    NODE_NCONF
};

/* How the script is doing: fields of struct eng_status by the same name. X(name, kind); kinds: flag, number (signed),
 * count. */
#define NODE_STATUS(X) \
	X(exiting, flag) \
	X(exit_status, number) \
	X(filled, flag) \
	X(errors, count) \
	X(spent, count) /* ns that tracing has taken, of all schedulers */

#endif
