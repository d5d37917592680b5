int klee_int(const char *name);
static int share(int all, int parts) {
    return all / parts; //~ alarm core.DivideZero: confirmed
}
static int safe_share(int all, int parts) {
    if (parts == 0)
        return 0;
    return all / parts; //~ alarm core.DivideZero: refuted
}
int main(void) {
    int k = klee_int("k");
    if (k > 100)
        return share(k, k - 101);
    return safe_share(k, k - 50);
}
