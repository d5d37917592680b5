// Tests packing, reading and writing of unsigned bit-fields that share a word.
// paths: 1
#include <assert.h>

struct date {
  unsigned day : 5;
  unsigned month : 4;
  unsigned year : 12;
  unsigned flag : 1;
};

int main(void) {
  struct date d = {31, 12, 2024, 1};
  assert(sizeof d == 4);
  d.day++;
  assert(d.day == 0);
  d.month -= 13;
  assert(d.month == 15);
  assert(d.year == 2024);
  d.year = 5000 & 0xfff;
  assert(d.year == 904);
  assert(d.flag == 1);
  return 0;
}
