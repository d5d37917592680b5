// Tests constant tables of structs, strings and nested arrays.
// paths: 1
#include <assert.h>
#include <string.h>

static const struct month {
  const char *name;
  int days[2];
} months[] = {{"jan", {31, 31}}, {"feb", {28, 29}}, {"mar", {31, 31}}};

int main(void) {
  int total = 0;
  for (int i = 0; i < 3; i++)
    total += months[i].days[1];
  assert(total == 91);
  assert(strcmp(months[1].name, "feb") == 0);
  assert(months[2].name[0] == 'm');
  return 0;
}
