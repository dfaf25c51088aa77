/* A term lives only as long as its firing: it may not be kept in self->. */
self term t;
BEGIN { exit(0); }
