/* One thread: plain memory accesses are atomic. */

#define a_cas a_cas
static inline int a_cas(volatile int *place, int expected, int new) {
    int old = *place;
    if (old == expected)
        *place = new;
    return old;
}

#define a_cas_p a_cas_p
static inline void *a_cas_p(volatile void *place, void *expected, void *new) {
    void *volatile *pointer = (void *volatile *)place;
    void *old = *pointer;
    if (old == expected)
        *pointer = new;
    return old;
}

#define a_swap a_swap
static inline int a_swap(volatile int *place, int new) {
    int old = *place;
    *place = new;
    return old;
}

#define a_fetch_add a_fetch_add
static inline int a_fetch_add(volatile int *place, int more) {
    int old = *place;
    *place = (int)((unsigned)old + (unsigned)more);
    return old;
}

#define a_store a_store
static inline void a_store(volatile int *place, int new) {
    *place = new;
}

#define a_barrier a_barrier
static inline void a_barrier(void) {
}

#define a_crash a_crash
static inline void a_crash(void) {
    __builtin_trap();
}

#define a_ctz_64 a_ctz_64
static inline int a_ctz_64(uint64_t bits) {
    return __builtin_ctzll(bits);
}

#define a_clz_64 a_clz_64
static inline int a_clz_64(uint64_t bits) {
    return __builtin_clzll(bits);
}
