# How three projects are compiled, in one call of a compiler: their own builds do no more. For
# scripts/planted.sh and scripts/alarms.sh, which read this file with `.`; the working directory is
# the source tree.

projects="bzip2 figlet mujs"

project_flags() { # project_flags PROJECT
    case $1 in
    bzip2) echo "-D_FILE_OFFSET_BITS=64" ;;
    figlet) echo "-std=gnu89 -DTLF_FONTS -DDEFAULTFONTDIR=\"/usr/share/figlet\" -DDEFAULTFONTFILE=\"standard\"" ;;
    mujs) echo "-std=c99" ;;
    esac
}

project_sources() { # project_sources PROJECT
    case $1 in
    bzip2) echo "bzip2.c blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c" ;;
    figlet) echo "figlet.c zipio.c crc.c inflate.c utf8.c" ;;
    # one.c is the library, as a list of the others.
    mujs) echo "main.c $(sed -n 's/^#include "\(.*\.c\)"$/\1/p' one.c)" ;;
    esac
}

project_libraries() { # project_libraries PROJECT
    case $1 in
    mujs) echo "-lm" ;;
    esac
}

needed() { # needed COMMAND...: ends the script if one is missing
    for command in "$@"; do
        command -v "$command" >/dev/null || {
            echo "$command is missing. Install it with: apt-get install $command" >&2
            exit 1
        }
    done
}
