// Example: let the engine find a way through a maze. The assertion fails exactly when the goal is reached, so the
// generated test for it holds the winning moves. To walk yourself: compile with -DPLAY and type moves such as "ddss".
#include <klee/klee.h>
#include <stdio.h>

#define MOVES 28

static const char maze[9][14] = {
    "+---+-----+-+", //
    "|S  |     | |", //
    "| + + +-+ | |", //
    "| |   | |   |", //
    "| +-+-+ +-+ |", //
    "|   |     | |", //
    "+-+ | +-+ | |", //
    "|     | |G  |", //
    "+-----+-+---+", //
};

static char visited[9][14];

// One step; returns 0 if it leads nowhere.
static int step(char move, int *x, int *y) {
  switch (move) {
  case 'w': --*y; break;
  case 's': ++*y; break;
  case 'a': --*x; break;
  case 'd': ++*x; break;
  default: puts("Moves are w, a, s and d."); return 0;
  }
  if (maze[*y][*x] != ' ' && maze[*y][*x] != 'G') {
    puts("Ouch, a wall.");
    return 0;
  }
  if (visited[*y][*x]) {
    puts("You are going round in circles.");
    return 0;
  }
  visited[*y][*x] = 1;
  return 1;
}

static void walk(const char *moves) {
  int x = 1, y = 1;
  visited[y][x] = 1;
  for (int i = 0; i < MOVES && moves[i]; i++) {
    if (!step(moves[i], &x, &y))
      return;
    if (maze[y][x] == 'G') {
      puts("You win!");
#ifndef PLAY
      klee_assert(!"the goal is reachable");
#endif
      return;
    }
  }
  puts("You gave up before the goal.");
}

int main(void) {
  char moves[MOVES];
#ifdef PLAY
  for (int y = 0; y < 9; y++)
    puts(maze[y]);
  int n = 0, c;
  while (n < MOVES - 1 && (c = getchar()) != EOF && c != '\n')
    moves[n++] = (char)c;
  moves[n] = 0;
#else
  klee_make_symbolic(moves, sizeof moves, "moves");
#endif
  walk(moves);
  return 0;
}
