// Tests printf of strings, puts and putchar.
// paths: 1
// stdout: hello world
// stdout: [   abc] [abc   ] [ab]
// stdout: * via puts
// stdout: 7:12
#include <stdio.h>

int main(void) {
  printf("%s %s\n", "hello", "world");
  printf("[%6s] [%-6s] [%.2s]\n", "abc", "abc", "abc");
  putchar('*');
  puts(" via puts");
  int n = printf("%s", "7:");
  printf("%d%d\n", n / 2, n);
  return 0;
}
