// A maze with two ways to the goal that never go back: each is found as a test of the same assertion.
// options: --emit-all-errors --search=bfs
// partially completed paths = 2
#include <klee/klee.h>

#define MOVES 6

static const char maze[5][6] = {
    "#####", //
    "#S  #", //
    "# # #", //
    "#  G#", //
    "#####", //
};

int main(void) {
  char moves[MOVES];
  char seen[5][5] = {{0}};
  int x = 1, y = 1;
  klee_make_symbolic(moves, sizeof moves, "moves");
  for (int i = 0; i < MOVES; i++) {
    seen[y][x] = 1;
    switch (moves[i]) {
    case 'w': y--; break;
    case 's': y++; break;
    case 'a': x--; break;
    case 'd': x++; break;
    default: return 1;
    }
    if (maze[y][x] == '#' || seen[y][x])
      return 1;
    if (maze[y][x] == 'G')
      klee_assert(!"the goal is reachable"); //~ ASSERTION FAIL: !"the goal is reachable"
  }
  return 0;
}
