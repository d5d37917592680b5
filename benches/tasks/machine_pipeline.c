// A four-stage pipeline of valid bits with stalls and flushes, 30 cycles: the number of instructions is never negative or above four.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define CYCLES 30

static int fetch_valid, decode_valid, execute_valid, write_valid;
static int fetched, retired, dropped;

static int in_flight(void) {
  return fetch_valid + decode_valid + execute_valid + write_valid;
}

int main(void) {
  for (int cycle = 0; cycle < CYCLES; cycle++) {
    int stall = 0, flush = 0, empty = 0;
    switch (__VERIFIER_nondet_int()) {
    case 1: stall = 1; break;
    case 2: flush = 1; break;
    case 3: empty = 1; break;
    default: break;
    }
    retired += write_valid;
    write_valid = execute_valid;
    if (stall) {
      execute_valid = 0; // a bubble
    } else {
      execute_valid = decode_valid;
      decode_valid = fetch_valid;
      fetch_valid = !empty;
      fetched += fetch_valid;
    }
    if (flush) {
      dropped += fetch_valid + decode_valid;
      fetch_valid = 0;
      decode_valid = 0;
    }
    if (in_flight() > 4)
      reach_error(); // expect: unreachable
    if (cycle < 3 && retired > 0)
      reach_error(); // expect: unreachable
  }
  if (in_flight() == 4)
    reach_error(); // expect: reachable
  if (in_flight() == 0)
    reach_error(); // expect: reachable
  return 0;
}
