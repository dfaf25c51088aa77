/* A variable that holds a term takes no number. */
this term t;
BEGIN { this->t = 5; exit(0); }
