/* element() takes a number and a term. */
this term t;
BEGIN { trace(element(this->t)); exit(0); }
