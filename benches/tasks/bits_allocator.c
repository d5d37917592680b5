// An allocator of six blocks in a bitmap: a request takes the lowest free block, a release gives one back; 30 operations.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define BLOCKS 6
#define ALL ((1u << BLOCKS) - 1)
#define OPERATIONS 30

static unsigned used = 0;

static int allocate(void) {
  unsigned lowest = ~used & (used + 1);
  if ((lowest & ALL) == 0)
    return 0;
  used |= lowest;
  return 1;
}

static void release_highest(void) {
  unsigned top = 1u << (BLOCKS - 1);
  while (top != 0 && !(used & top))
    top >>= 1;
  used &= ~top;
}

static void release_lowest(void) {
  used &= used - (used != 0);
}

int main(void) {
  int refused = 0;
  for (int i = 0; i < OPERATIONS; i++) {
    switch (__VERIFIER_nondet_int()) {
    case 0:
      if (!allocate()) {
        refused = 1;
        if (used != ALL)
          reach_error(); // expect: unreachable
      }
      break;
    case 1:
      release_highest();
      break;
    default:
      release_lowest();
      break;
    }
    if (used & ~ALL)
      reach_error(); // expect: unreachable
  }
  if (used == 0x3eu)
    reach_error(); // expect: reachable
  if (used == 0x2au) // every second block
    reach_error(); // expect: reachable
  if (refused && used == 0)
    reach_error(); // expect: reachable
  return 0;
}
