/* The command `erltrace export`. */
#ifndef ET_EXPORT_MAIN_H
#define ET_EXPORT_MAIN_H

/* argv[0] is "export". Returns the exit status. */
int export_main(int argc, char **argv);

#endif
