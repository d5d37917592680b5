// An array inside of an object: what leaves it stays in the object, so no complete proof is claimed.
int klee_range(int from, int to, const char *name);
static struct { int inner[4]; int other; } s;
int main(void) {
    int i = klee_range(0, 5, "i");
    return s.inner[i]; //~ alarm alpha.security.ArrayBoundV2: bounded
}
