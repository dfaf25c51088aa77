/* Functions of terms do not take numbers. */
BEGIN { trace(is_atom(5)); exit(0); }
