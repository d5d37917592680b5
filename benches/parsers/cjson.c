// cJSON on any text of at most SIZE characters: what it prints for what it parsed, it parses again, and to something that it prints
// the same way.
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

#include "cJSON.h"

#ifndef SIZE
#define SIZE 4
#endif

int main(void) {
  char text[SIZE + 1];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[SIZE] == 0);

  cJSON *value = cJSON_Parse(text);
  if (value == NULL) {
    const char *error = cJSON_GetErrorPtr();
    assert(text <= error && error <= text + SIZE);
    return 0;
  }
  char *printed = cJSON_PrintUnformatted(value);
  assert(printed != NULL);

  cJSON *value_again = cJSON_Parse(printed);
  assert(value_again != NULL);
  char *printed_again = cJSON_PrintUnformatted(value_again);
  assert(printed_again != NULL);
  assert(strcmp(printed, printed_again) == 0);

  free(printed_again);
  free(printed);
  cJSON_Delete(value_again);
  cJSON_Delete(value);
  return 0;
}
