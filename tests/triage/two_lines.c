// The pointer is on another line than what is read through it: an error there is not passed over.
int klee_int(const char *name);
struct node { int value[2], other; };
int main(void) {
    int k = klee_int("k");
    struct node a = {{k, k}, k}, *p = k == 3 ? 0 : &a;
    a.value[0] = p //~ alarm core.NullDereference: open
        ->other;
    return 0;
}
