// A robot on a grid takes 10 steps between walls; a step into a wall or off the grid leaves it where it is.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define WIDTH 5
#define HEIGHT 4
#define STEPS 10

static const char grid[HEIGHT][WIDTH + 1] = {
    "..#..",
    ".##..",
    "....#",
    "#.#.#",
};

static int is_free(int x, int y) {
  return 0 <= x && x < WIDTH && 0 <= y && y < HEIGHT && grid[y][x] == '.';
}

int main(void) {
  int x = 0, y = 0;
  for (int i = 0; i < STEPS; i++) {
    int next_x = x, next_y = y;
    switch (__VERIFIER_nondet_int()) {
    case 0: next_x++; break;
    case 1: next_y++; break;
    case 2: next_x--; break;
    default: next_y--; break;
    }
    if (is_free(next_x, next_y)) {
      x = next_x;
      y = next_y;
    }
  }
  if (!is_free(x, y))
    reach_error(); // expect: unreachable
  if (x == 4 && y == 0) // 2 down, 3 right, 2 up, 1 right: 8 steps
    reach_error(); // expect: reachable
  if (x == 4 && y == 2) // a wall
    reach_error(); // expect: unreachable
  if (x == 3 && y == 3)
    reach_error(); // expect: reachable
  if (x == 1 && y == 3)
    reach_error(); // expect: reachable
  return 0;
}
