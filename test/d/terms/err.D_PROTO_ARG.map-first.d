/* The key of map_get() comes first, the map second. */
this term t;
BEGIN { trace(map_get(this->t, "key")); exit(0); }
