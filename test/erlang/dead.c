/* A driver whose ports send to the process that called control with 0 the atom `sent`, as often as control's number
 * says. */
#include <erl_driver.h>

struct it {
	ErlDrvPort port;
	ErlDrvTermData to;
};

static ErlDrvData
start(ErlDrvPort port, char *command)
{
	struct it *it = driver_alloc(sizeof *it);
	(void)command;
	*it = (struct it){.port = port};
	return (ErlDrvData)it;
}

static void
stop(ErlDrvData data)
{
	driver_free((void *)data);
}

static ErlDrvSSizeT
control(ErlDrvData data, unsigned number, char *buf, ErlDrvSizeT len, char **result, ErlDrvSizeT size)
{
	struct it *it = (struct it *)data;
	ErlDrvTermData sent[] = {ERL_DRV_ATOM, driver_mk_atom("sent")};
	(void)buf;
	(void)len;
	(void)result;
	(void)size;
	if (!number)
		it->to = driver_caller(it->port);
	for (unsigned i = 0; i < number; i++)
		erl_drv_send_term(driver_mk_port(it->port), it->to, sent, 2);
	return 0;
}

static ErlDrvEntry entry = {
    .start = start,
    .stop = stop,
    .control = control,
    .driver_name = "dead",
    .extended_marker = (int)ERL_DRV_EXTENDED_MARKER,
    .major_version = ERL_DRV_EXTENDED_MAJOR_VERSION,
    .minor_version = ERL_DRV_EXTENDED_MINOR_VERSION,
};

DRIVER_INIT(dead)
{
	return &entry;
}
