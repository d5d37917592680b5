/* For --alloc-fail=N: included before every source, so that its allocations may fail, N times on a path at most. Which
 * one fails is an input, called alloc_fail. */

#ifndef ESPALIER_ALLOC_FAIL_H
#define ESPALIER_ALLOC_FAIL_H

/* How many may still fail. Every source has it, and it is one. */
__attribute__((weak)) unsigned __espalier_alloc_failures = ESPALIER_ALLOC_FAIL;

#define malloc __espalier_failing_malloc
#define calloc __espalier_failing_calloc
#define realloc __espalier_failing_realloc
#define strdup __espalier_failing_strdup
#define strndup __espalier_failing_strndup

#endif
