int klee_int(const char *name);
int main(void) {
    int k = klee_int("k");
    if (k < 1000 && k > 0)
        k = k * 1000; //~ alarm integerOverflow: refuted
    return k + 1; //~ alarm integerOverflow: confirmed
}
