// Large objects that are copied as a whole, and written right before and after: neither shows in the
// other, however the copy is spelt.
// paths: 1
#include <assert.h>
#include <string.h>

struct whole {
    int a[20000];
};

static int from[20000], to[20000];
static struct whole one, other;

static void by_memcpy(void) {
    from[0] = 7;
    memcpy(to, from, sizeof from);
    from[0] = 8;
    assert(to[0] == 7);
    to[0] = 9;
    assert(from[0] == 8);
}

static void by_assignment(void) {
    one.a[5] = 7;
    other = one;
    one.a[5] = 8;
    assert(other.a[5] == 7 && one.a[5] == 8);
}

static void in_part(void) {
    from[300] = 1;
    memmove(to + 256, from + 256, 4096);
    from[300] = 2;
    assert(to[300] == 1);
}

static void in_loops(void) {
    for (int i = 0; i < 600; i++)
        from[i] = i;
    memcpy(to, from, sizeof from);
    for (int i = 0; i < 600; i++)
        from[i] = -1;
    for (int i = 0; i < 600; i++)
        assert(to[i] == i);
}

static void there_and_back(void) {
    for (int round = 1; round < 4; round++) {
        to[2] = round;
        memcpy(from, to, sizeof from);
        from[2] += 10;
        assert(to[2] == round);
        memcpy(to, from, sizeof from);
        from[2] = 0;
        assert(to[2] == round + 10);
    }
}

int main(void) {
    by_memcpy();
    by_assignment();
    in_part();
    in_loops();
    there_and_back();
    return 0;
}
