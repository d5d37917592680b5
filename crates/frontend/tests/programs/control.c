// Loops, phis that depend on each other, switches, jumps.
void out(long long);

static int fib(int n) {
    int a = 0, b = 1;
    while (n-- > 0) {
        int t = a + b;
        a = b;
        b = t;
    }
    return a;
}

static void rotate(int n) {
    int a = 1, b = 2, c = 3, d = 4;
    for (int i = 0; i < n; i++) {
        int t = a;
        a = b;
        b = c;
        c = t;
        int u = d;
        d = a + u;
        out(a * 1000 + b * 100 + c * 10 + d);
    }
}

static int classify(int x) {
    switch (x) {
    case 1:
    case 2:
        return 10;
    case -5:
        return 20;
    case 100 ... 103:
        x++;
        // falls through
    case 7:
        return x;
    default:
        return -1;
    }
}

static int wide(__int128 x) {
    switch (x) {
    case 1:
        return 1;
    case (__int128)1 << 100:
        return 2;
    case -((__int128)1 << 90):
        return 3;
    }
    return 4;
}

static int machine(const char *code) {
    static void *const targets[] = {&&inc, &&dec, &&dbl, &&stop};
    int acc = 3;
    goto *targets[*code++ - '0'];
inc:
    acc++;
    goto *targets[*code++ - '0'];
dec:
    acc--;
    goto *targets[*code++ - '0'];
dbl:
    acc *= 2;
    goto *targets[*code++ - '0'];
stop:
    return acc;
}

static int collatz(unsigned n) {
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

static int nested(int n) {
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            if ((i ^ j) & 1)
                continue;
            if (i * j > 40)
                break;
            count += i + j;
        }
    return count;
}

int main(void) {
    for (int i = 0; i < 20; i++)
        out(fib(i));
    rotate(7);
    for (int i = -6; i < 110; i++)
        out(classify(i));
    out(wide(1));
    out(wide((__int128)1 << 100));
    out(wide(-((__int128)1 << 90)));
    out(wide(77));
    out(machine("0021203"));
    out(collatz(27));
    out(nested(12));
    int x = 5;
    do {
        out(x && x > 2 || x == 1);
    } while (x--);
    return 0;
}
