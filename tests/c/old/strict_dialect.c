/* Names that are keywords of gcc's too. */
/* gcc: -std=c89 */
#include <stdio.h>

int main(void) {
  int inline = 3, typeof = 4;
  printf("%d\n", inline * typeof);
  return 0;
}
