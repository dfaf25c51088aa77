/* A limit must be a constant. */
int limit; alert p99(@wait) > limit;
BEGIN { @wait["a"] = quantize(1); @most = max(1); }
