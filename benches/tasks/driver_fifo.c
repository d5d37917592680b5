// A serial port's ring buffer between an interrupt handler and a reader, 12 steps: bytes come out in order, overruns are counted.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define SIZE 4
#define STEPS 12

static unsigned char ring[SIZE];
static unsigned head, tail, length;
static unsigned char sequence = 0; // what the line sends next
static int overruns = 0;

static void interrupt(void) {
  unsigned char byte = sequence++;
  if (length == SIZE) {
    overruns++;
    return;
  }
  ring[head] = byte;
  head = (head + 1) % SIZE;
  length++;
}

static int take(void) {
  if (length == 0)
    return -1;
  unsigned char byte = ring[tail];
  tail = (tail + 1) % SIZE;
  length--;
  return byte;
}

int main(void) {
  int last = -1;
  int gaps = 0;
  for (int i = 0; i < STEPS; i++) {
    int action = __VERIFIER_nondet_int();
    if (action == 1) {
      interrupt();
    } else if (action == 2) {
      interrupt();
      interrupt();
    } else {
      int byte = take();
      if (byte >= 0) {
        if (byte <= last)
          reach_error(); // expect: unreachable
        if (byte != last + 1)
          gaps++;
        last = byte;
      }
    }
    if (length > SIZE)
      reach_error(); // expect: unreachable
    if (gaps > overruns)
      reach_error(); // expect: unreachable
    if ((head + SIZE - tail) % SIZE != length % SIZE)
      reach_error(); // expect: unreachable
  }
  if (gaps == 1 && overruns == 2)
    reach_error(); // expect: reachable
  if (overruns == 2 * STEPS - SIZE)
    reach_error(); // expect: reachable
  if (length == 4 && gaps == 1)
    reach_error(); // expect: reachable
  return 0;
}
