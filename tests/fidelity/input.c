/* Inexact: what is given back to standard input can be read without its content, but by functions that may ask for more. */

#include "cases.h"
#include <stdio.h>

/* One character can be given back, before anything was read. */
CASES(ungetc) {
    value((uint64_t)(int64_t)ungetc(EOF, stdin));
    value((uint64_t)ungetc('x', stdin));
    value((uint64_t)getc(stdin));
    value((uint64_t)ungetc(256 + 'y', stdin));
    value((uint64_t)getc(stdin));
    value_of_truth(feof(stdin));
}
