/* What a step of D's arithmetic gives: in 64 bits, by the sign of the operation. */
typedef unsigned long ul;
#define STEP(name, expr) static inline long name(long a, long b) { return (long)(expr); }
STEP(add, (ul)a + (ul)b) STEP(sub, (ul)a - (ul)b) STEP(mul, (ul)a * (ul)b)
STEP(and, a & b) STEP(xor, a ^ b) STEP(or, a | b) STEP(land, a && b)
STEP(eq, a == b) STEP(ne, a != b)
STEP(lts, a < b) STEP(ltu, (ul)a < (ul)b) STEP(les, a <= b) STEP(leu, (ul)a <= (ul)b)
STEP(gts, a > b) STEP(gtu, (ul)a > (ul)b) STEP(ges, a >= b) STEP(geu, (ul)a >= (ul)b)
STEP(divs, a / b) STEP(divu, (ul)a / (ul)b) STEP(mods, a % b) STEP(modu, (ul)a % (ul)b)
STEP(shl, (ul)a << (b & 63)) STEP(shrs, a >> (b & 63)) STEP(shru, (ul)a >> (b & 63))
static inline long neg(long a) { return (long)-(ul)a; }
