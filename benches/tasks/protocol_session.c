// A session layer in one big switch: connection, keys, data transfer and renegotiation; it serves until the input ends it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum state { CLOSED, LISTEN, SYN, OPEN, REKEY, DRAIN, FAULT };

static int state = CLOSED;
static int keys = 0;       // 0: none, 1: old, 2: new
static int pending = 0;    // blocks that are not yet sent, 0..4
static int generation = 0; // modulo 4

static void handle(int message) {
  switch (state) {
  case CLOSED:
    if (message == 1)
      state = LISTEN;
    break;
  case LISTEN:
    if (message == 2)
      state = SYN;
    else if (message == 9)
      state = CLOSED;
    break;
  case SYN:
    if (message == 3) {
      keys = 1;
      state = OPEN;
    } else if (message != 2) {
      state = LISTEN;
    }
    break;
  case OPEN:
    if (message == 4 && pending < 4)
      pending++;
    else if (message == 5 && pending > 0)
      pending--;
    else if (message == 6 && pending == 0)
      state = REKEY;
    else if (message == 9)
      state = DRAIN;
    else if (message > 100)
      state = FAULT;
    break;
  case REKEY:
    if (message == 3) {
      keys = keys == 1 ? 2 : 1;
      generation = (generation + 1) % 4;
      state = OPEN;
    } else if (message != 6) {
      state = FAULT;
    }
    break;
  case DRAIN:
    if (pending > 0) {
      pending--;
    } else {
      keys = 0;
      generation = 0;
      state = CLOSED;
    }
    break;
  case FAULT:
    pending = 0;
    state = DRAIN;
    break;
  default:
    reach_error(); // expect: unreachable
  }
}

int main(void) {
  while (1) {
    int message = __VERIFIER_nondet_int();
    if (message == 0 && state == CLOSED)
      break;
    handle(message);
    if (pending > 0 && keys == 0)
      reach_error(); // expect: unreachable
    if (state == REKEY && pending != 0)
      reach_error(); // expect: unreachable
    if (state != DRAIN && state != FAULT && generation % 2 == 1 && keys == 1)
      reach_error(); // expect: unreachable
    if (state == DRAIN && generation == 3 && pending == 4)
      reach_error(); // expect: reachable
    if (state == FAULT && keys == 2 && pending == 2)
      reach_error(); // expect: reachable
  }
  return 0;
}
