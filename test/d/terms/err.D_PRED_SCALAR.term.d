/* A term is no truth value. */
this term t;
BEGIN /this->t/ { exit(0); }
