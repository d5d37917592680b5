// Tests computed goto (indirectbr) running a small concrete byte-code program.
// paths: 1
#include <assert.h>

int main(void) {
  static const void *const ops[] = {&&push, &&add, &&dup, &&halt};
  static const unsigned char code[] = {0, 5, 2, 1, 0, 7, 1, 3};
  int stack[8], sp = 0, pc = 0;
  goto *ops[code[pc++]];
push:
  stack[sp++] = code[pc++];
  goto *ops[code[pc++]];
add:
  sp--;
  stack[sp - 1] += stack[sp];
  goto *ops[code[pc++]];
dup:
  stack[sp] = stack[sp - 1];
  sp++;
  goto *ops[code[pc++]];
halt:
  assert(sp == 1);
  assert(stack[0] == 17);
  return 0;
}
