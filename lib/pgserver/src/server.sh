# Starts a server, and stops it when its standard input ends: server.sh PROGRAMS DIR
set -eu
programs=$1 dir=$2
trap '' INT TERM
"$programs/initdb" -D "$dir/data" -U espalier -A trust -E UTF8 --locale=C -N --no-instructions >"$dir/log" 2>&1
printf 'local all guarded scram-sha-256\nlocal all all trust\n' >"$dir/data/pg_hba.conf"
"$programs/postgres" -D "$dir/data" -k "$dir" -c listen_addresses= -c fsync=off -c full_page_writes=off \
    >>"$dir/log" 2>&1 </dev/null &
server=$!
cat >/dev/null || true
kill -INT "$server" || true
wait "$server" || true
rm -rf "$dir"
