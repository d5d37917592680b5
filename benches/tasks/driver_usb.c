// A USB driver's transfers: 25 completions or errors arrive for a pool of buffers; nothing is submitted twice or lost.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define BUFFERS 4
#define EVENTS 25

static int submitted = 0; // how many of the buffers the controller owns
static int idle = BUFFERS;
static int halted = 0;
static int resets = 0;

static void submit(void) {
  if (halted || idle == 0)
    return;
  idle--;
  submitted++;
}

static void completed(int error) {
  if (submitted == 0)
    return;
  submitted--;
  idle++;
  if (error)
    halted = 1;
}

static void reset(void) {
  if (!halted)
    return;
  idle += submitted;
  submitted = 0;
  halted = 0;
  if (resets < 2)
    resets++;
}

int main(void) {
  for (int i = 0; i < EVENTS; i++) {
    switch (__VERIFIER_nondet_int()) {
    case 1: submit(); break;
    case 2: completed(0); break;
    case 3: completed(1); break;
    case 4: reset(); break;
    default: break;
    }
    if (idle + submitted != BUFFERS)
      reach_error(); // expect: unreachable
    if (submitted < 0 || idle < 0)
      reach_error(); // expect: unreachable
    if (halted && idle == 0)
      reach_error(); // expect: unreachable
  }
  return 0;
}
