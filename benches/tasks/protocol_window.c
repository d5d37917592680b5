// A sliding window of four frames over a channel that loses frames and acknowledgements, 20 rounds.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define WINDOW 4
#define ROUNDS 20

static unsigned base;     // the first frame that is not acknowledged
static unsigned next;     // the next frame to send
static unsigned expected; // the next frame that the receiver takes

static void send(int lost) {
  if (next - base >= WINDOW)
    return;
  unsigned frame = next++;
  if (!lost && frame == expected)
    expected++;
}

static void acknowledge(void) {
  base = expected;
}

static void timeout(void) {
  next = base > expected ? expected : base;
  if (next < expected)
    next = expected;
}

int main(void) {
  for (int i = 0; i < ROUNDS; i++) {
    switch (__VERIFIER_nondet_int()) {
    case 0: send(0); break;
    case 1: send(1); break;
    case 2: acknowledge(); break;
    case 3: timeout(); break;
    default: break;
    }
    if (base > expected)
      reach_error(); // expect: unreachable
    if (expected > next)
      reach_error(); // expect: unreachable
    if (next - base > WINDOW)
      reach_error(); // expect: unreachable
  }
  if (expected == 16) // four rounds of four frames and an acknowledgement
    reach_error(); // expect: reachable
  if (expected == 17)
    reach_error(); // expect: unreachable
  if (base == next)
    reach_error(); // expect: reachable
  if (next - base == WINDOW && expected == base)
    reach_error(); // expect: reachable
  return 0;
}
