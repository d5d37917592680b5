// Tests that atexit handlers run in reverse order at exit.
// paths: 1
// stdout: working
// stdout: second
// stdout: first
#include <stdio.h>
#include <stdlib.h>

static void first(void) { puts("first"); }
static void second(void) { puts("second"); }

int main(void) {
  atexit(first);
  atexit(second);
  puts("working");
  exit(0);
}
