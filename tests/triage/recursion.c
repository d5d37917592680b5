int klee_range(int from, int to, const char *name);
static int down(int n, const int *p) {
    if (n == 0)
        return *p; //~ alarm core.NullDereference: refuted
    return down(n - 1, n == 3 ? p : &(int){n});
}
int main(void) {
    int n = klee_range(1, 6, "n");
    return down(n, 0);
}
