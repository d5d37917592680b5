// The towers of Hanoi with an oracle that decides which of two equally good ways is taken: the moves are counted, disks stay in order.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

#define DISKS 5

static int peg_of[DISKS];
static int moves;

static void move(int disk, int to) {
  for (int smaller = 0; smaller < disk; smaller++)
    if (peg_of[smaller] == peg_of[disk] || peg_of[smaller] == to)
      reach_error(); // expect: unreachable
  peg_of[disk] = to;
  moves++;
}

static void solve(int disks, int to) {
  if (disks == 0)
    return;
  int disk = disks - 1;
  int from = peg_of[disk];
  int other = 3 - from - to;
  if (disk == 0 && __VERIFIER_nondet_bool()) { // a detour of the smallest disk
    move(disk, other);
    move(disk, to);
    return;
  }
  solve(disk, other);
  move(disk, to);
  solve(disk, to);
}

int main(void) {
  solve(DISKS, 2);
  for (int disk = 0; disk < DISKS; disk++)
    if (peg_of[disk] != 2)
      reach_error(); // expect: unreachable
  if (moves < 31)
    reach_error(); // expect: unreachable
  if (moves > 47)
    reach_error(); // expect: unreachable
  return 0;
}
