/* A function of terms that is misspelt.
 * @@stderr: did you mean 'is_binary'? */
this term t;
BEGIN { trace(is_binry(this->t)); exit(0); }
