/* The command `erltrace serve`. */
#ifndef ET_WEB_MAIN_H
#define ET_WEB_MAIN_H

/* argv[0] is "serve". Returns the exit status. */
int web_main(int argc, char **argv);

#endif
