// Behind an access out of bounds a native run goes on, so the proof is about programs without it.
int klee_range(int from, int to, const char *name);
int main(void) {
    int i = klee_range(0, 5, "i"), t[4] = {0}, *p = 0;
    t[i] = 1;
    if (i == 4)
        return *p; //~ alarm core.NullDereference: bounded
    return 0;
}
