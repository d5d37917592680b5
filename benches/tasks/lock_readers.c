// A readers-writer lock under a random schedule of 36 operations: a writer excludes all others.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define OPERATIONS 36
#define MAX_READERS 3

static int readers = 0;
static int writer = 0;
static int waiting = 0;

int main(void) {
  for (int i = 0; i < OPERATIONS; i++) {
    switch (__VERIFIER_nondet_int()) {
    case 0: // a reader comes; writers who wait go first
      if (!writer && !waiting && readers < MAX_READERS)
        readers++;
      break;
    case 1:
      if (readers > 0)
        readers--;
      break;
    case 2:
      if (readers == 0 && !writer) {
        writer = 1;
        waiting = 0;
      } else {
        waiting = 1;
      }
      break;
    case 3:
      writer = 0;
      break;
    case 4: // a reader becomes a writer, if it is alone
      if (readers == 1 && !waiting) {
        readers = 0;
        writer = 1;
      }
      break;
    default:
      break;
    }
    if (writer && readers > 0)
      reach_error(); // expect: unreachable
    if (writer < 0 || readers < 0)
      reach_error(); // expect: unreachable
    if (readers > MAX_READERS)
      reach_error(); // expect: unreachable
  }
  if (readers == MAX_READERS && waiting)
    reach_error(); // expect: reachable
  if (writer && waiting)
    reach_error(); // expect: reachable
  return 0;
}
