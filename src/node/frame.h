/*
 * Messages of the distribution as they come over a connection: four bytes of length, then 'p', a control term and, with
 * some of these, a message. ei_receive_msg() decodes the control term itself and trusts its lengths. So this reads the
 * bytes and hands them out only after both terms were validated (term.h).
 */
#ifndef ET_NODE_FRAME_H
#define ET_NODE_FRAME_H

#include <ei.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { FRAME_LARGEST = 1 << 30 };

enum received {
	FRAME_MESSAGE, /* *index is at the message, behind its version byte */
	FRAME_OTHER,   /* nothing for us: a tick (which was answered), a link, a monitor, … */
	FRAME_LATE,
	FRAME_GONE, /* the connection has ended */
	FRAME_BAD,  /* what came is not what a node sends */
};

/* Waits until `deadline`, ms of the monotonic clock, or until *stop (which may be NULL); then it returns FRAME_LATE.
 * x grows as bytes come, whatever length was announced. */
enum received frame_receive(int fd, ei_x_buff *x, int *index, uint64_t deadline, const atomic_bool *stop);
/* Room for len bytes and the padding behind them, which is zeroed. */
bool frame_room(ei_x_buff *x, size_t len);

#endif
