// The check that an analyser does not see is in another function.
int klee_int(const char *name);
struct node { int value; };
static int is_there(const struct node *n) { return n != 0; }
int main(void) {
    int k = klee_int("k");
    struct node a = {k}, *p = k > 3 ? &a : 0;
    if (!is_there(p))
        return 0;
    return p->value; //~ alarm core.NullDereference: refuted
}
