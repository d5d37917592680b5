/* What conversion specifications of printf and scanf have in common. */

#ifndef ESPALIER_CONVERSION_H
#define ESPALIER_CONVERSION_H

enum size { CHAR, SHORT, INT, LONG, LONG_LONG, LONG_DOUBLE };

static inline void store_integer(void *to, enum size size, unsigned long long value) {
    switch (size) {
    case CHAR:
        *(unsigned char *)to = (unsigned char)value;
        break;
    case SHORT:
        *(unsigned short *)to = (unsigned short)value;
        break;
    case INT:
        *(unsigned *)to = (unsigned)value;
        break;
    case LONG:
        *(unsigned long *)to = (unsigned long)value;
        break;
    default:
        *(unsigned long long *)to = value;
    }
}

#endif
