# The three Galera nodes: creating, starting, watching, cutting off, recovering. Sourced by `cluster`.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # `cluster` and the parts share their variables

nodes="1 2 3"

# Ports of node N: SQL, group communication, incremental and full state transfer.
sql_port() { [ "$separate" = yes ] && echo 3306 || echo $((first_port + 4 * ($1 - 1))); }
group_port() { [ "$separate" = yes ] && echo 4567 || echo $((first_port + 4 * ($1 - 1) + 1)); }
ist_port() { [ "$separate" = yes ] && echo 4568 || echo $((first_port + 4 * ($1 - 1) + 2)); }
sst_port() { [ "$separate" = yes ] && echo 4444 || echo $((first_port + 4 * ($1 - 1) + 3)); }
# In namespaces every node has an address of its own; 198.18.0.0/15 is set aside for tests of networks (RFC 2544).
address_of() { [ "$separate" = yes ] && echo "198.18.7.$1" || echo 127.0.0.1; }

# mariadbd refuses to run as root, and rsync's transfer fails as root.
server_account() { [ "$(id -u)" = 0 ] && echo mysql || id -un; }
as_server() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid "$(server_account)" --regid "$(id -g "$(server_account)")" --clear-groups -- "$@"
  else
    "$@"
  fi
}
in_namespace_of() {
  local node=$1
  shift
  if [ "$separate" = yes ]; then nsenter --net="/run/netns/$(namespace_of "$node")" "$@"; else "$@"; fi
}

program() {
  local place
  for place in /usr/sbin /usr/bin /usr/local/sbin /usr/local/bin; do
    [ ! -x "$place/$1" ] || { echo "$place/$1"; return 0; }
  done
  die "$1 is not installed; the packages are: $(. "$source_dir/packaging/packages.sh" && echo "$cluster_packages")"
}
provider() {
  local library
  for library in /usr/lib/galera/libgalera_smm.so /usr/lib/*/galera/libgalera_smm.so \
    /usr/lib64/galera-4/libgalera_smm.so; do
    [ ! -e "$library" ] || { echo "$library"; return 0; }
  done
  die "the Galera library is not installed; the package is galera-4"
}

write_database_config() {
  local node=$1 members="" each
  for each in $nodes; do members+="${members:+,}$(address_of "$each"):$(group_port "$each")"; done
  mkdir -p "$folder/db$node/data" "$folder/db$node/tmp"
  fill "$here/galera.cnf.in" FOLDER "$folder/db$node" ADDRESS "$(address_of "$node")" NODE "db$node" \
    SQL_PORT "$(sql_port "$node")" GROUP_PORT "$(group_port "$node")" IST_PORT "$(ist_port "$node")" \
    SST_PORT "$(sst_port "$node")" CLUSTER "gcomm://$members" PROVIDER "$(provider)" \
    BUFFER_POOL 64M GCACHE 128M >"$folder/db$node/galera.cnf"
  echo "$(address_of "$node"):$(sql_port "$node")" >"$folder/db$node/address"
  if [ "$(id -u)" = 0 ]; then chown -R "$(server_account):" "$folder/db$node"; fi
}

# The first node starts a cluster of its own with the users in it; the others copy everything from it.
create_databases() {
  local node password
  for node in $nodes; do write_database_config "$node"; done
  password=$(head -c 18 /dev/urandom | base64 | tr '+/' '-_')
  (umask 077 && printf '%s' "$password" >"$folder/mysql-password")
  # --force: a bare machine may have no /etc/hosts, and nothing here needs a host name.
  as_server "$(program mariadb-install-db)" --no-defaults --datadir="$folder/db1/data" --tmpdir="$folder/db1/tmp" \
    --auth-root-authentication-method=socket --auth-root-socket-user="$(server_account)" --skip-test-db --force \
    >"$folder/install.out" 2>&1 ||
    die "mariadb-install-db failed: $(tail -n 5 "$folder/install.out")"
  launch_database 1 --wsrep-new-cluster
  await_database 1
  sql 1 "CREATE DATABASE tideover CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;
         CREATE USER 'tideover'@'%' IDENTIFIED BY '$password';
         GRANT ALL ON tideover.* TO 'tideover'@'%';
         CREATE USER 'health'@'%';
         DELETE FROM mysql.global_priv WHERE User = '';
         FLUSH PRIVILEGES;" >/dev/null
  # One after the other: a node from which two copied at once did not become ready again. The first is busy while
  # another copies from it.
  for node in 2 3; do
    launch_database "$node"
    await_database "$node"
    await_database 1
  done
}

launch_database() {
  local node=$1
  shift
  local invocation=("$(program mariadbd)" --defaults-file="$folder/db$node/galera.cnf" "$@")
  if [ "$(id -u)" = 0 ]; then
    invocation=(setpriv --reuid "$(server_account)" --regid "$(id -g "$(server_account)")" --clear-groups --
      "${invocation[@]}")
  fi
  if [ "$separate" = yes ]; then invocation=(nsenter --net="/run/netns/$(namespace_of "$node")" "${invocation[@]}"); fi
  start_process "db$node" "${invocation[@]}"
}

# How far the data on the node's disk reaches, as cluster:transaction.
recovered_position() {
  local node=$1 log
  log=$folder/db$node/recovery.log
  rm -f "$log"
  as_server "$(program mariadbd)" --defaults-file="$folder/db$node/galera.cnf" --wsrep-recover --log-error="$log" \
    >/dev/null 2>&1 || true
  sed -n 's/.*Recovered position: *//p' "$log" 2>/dev/null | tail -n 1
}

# A node that was away joins again. It gets the position of its data and asks only for later transactions.
start_database() {
  local node=$1 position
  ! is_running "db$node" || die "db$node runs already"
  position=$(recovered_position "$node")
  launch_database "$node" ${position:+--wsrep_start_position="$position"}
  await_database "$node"
}

# sql N TEXT: over the node's socket, which reaches into its namespace, as the account that the server runs under.
sql() {
  as_server timeout 5 "$(program mariadb)" --no-defaults --user="$(server_account)" \
    --socket="$folder/db$1/server.sock" --batch --skip-column-names --execute="$2"
}
wsrep_status() { sql "$1" "SHOW GLOBAL STATUS LIKE 'wsrep_$2'" 2>/dev/null | cut -f 2; }
is_synced() { [ "$(wsrep_status "$1" local_state_comment)" = Synced ] && [ "$(wsrep_status "$1" ready)" = ON ]; }
is_synced_or_gone() { is_synced "$1" || ! is_running "db$1"; }
await_database() {
  eventually 90 is_synced_or_gone "$1" || die "db$1 did not join within 90 seconds"
  is_running "db$1" || die "db$1 ended while it started; see $folder/db$1/error.log"
}

# No node runs: the one whose data reaches furthest starts the cluster again, the others join it. Started in any other
# order, what only that one has would be lost.
recover() {
  local node best="" position id number best_id="" best_number=-2
  local -A position_of
  for node in $nodes; do
    ! is_running "db$node" || die "db$node runs; recover is for a cluster of which nothing runs"
  done
  for node in $nodes; do
    position=$(recovered_position "$node")
    [ -n "$position" ] || { echo "db$node: no position to be found; it will copy everything from another"; continue; }
    echo "db$node: $position"
    position_of[$node]=$position
    id=${position%%:*} number=${position##*:}
    if [ "$id" = 00000000-0000-0000-0000-000000000000 ]; then continue; fi
    [ -z "$best_id" ] || [ "$best_id" = "$id" ] ||
      die "db$best and db$node come from different clusters; an operator must choose"
    best_id=$id
    if [ "$number" -gt "$best_number" ]; then best=$node best_number=$number; fi
  done
  [ -n "$best" ] || die "no node holds data of a cluster"
  echo "db$best starts the cluster"
  for node in $nodes; do rm -f "$folder/db$node/data/gvwstate.dat"; done
  sed -i 's/^safe_to_bootstrap:.*/safe_to_bootstrap: 1/' "$folder/db$best/data/grastate.dat"
  launch_database "$best" --wsrep-new-cluster --wsrep_start_position="${position_of[$best]}"
  await_database "$best"
  for node in $nodes; do
    [ "$node" = "$best" ] ||
      launch_database "$node" ${position_of[$node]:+--wsrep_start_position="${position_of[$node]}"}
  done
  for node in $nodes; do await_database "$node"; done
}

namespace_of() { echo "tideover-$(basename "$folder")-$1"; }

# One bridge, one namespace per node. Lives in the network namespace in which `up` was called.
make_namespaces() {
  local node
  ip link set lo up
  ip link add tideover0 type bridge
  ip address add 198.18.7.254/24 dev tideover0
  ip link set tideover0 up
  for node in $nodes; do
    ip netns add "$(namespace_of "$node")"
    ip link add "tideover$node" type veth peer name inside netns "$(namespace_of "$node")"
    ip link set "tideover$node" master tideover0 up
    in_namespace_of "$node" ip link set lo up
    in_namespace_of "$node" ip address add "$(address_of "$node")/24" dev inside
    in_namespace_of "$node" ip link set inside up
  done
}
remove_namespaces() {
  local node
  for node in $nodes; do
    ip link delete "tideover$node" 2>/dev/null || true
    ip netns delete "$(namespace_of "$node")" 2>/dev/null || true
  done
  ip link delete tideover0 2>/dev/null || true
}

cut_off() {
  [ "$separate" = yes ] || die "only a cluster that was started with --separate can be cut apart"
  in_namespace_of "$1" nft -f - <<'RULES'
table inet cut
delete table inet cut
table inet cut {
  chain in { type filter hook input priority 0; iifname "inside" drop; }
  chain out { type filter hook output priority 0; oifname "inside" drop; }
}
RULES
}
join_again() { in_namespace_of "$1" nft delete table inet cut; }

status() {
  local name node
  for name in db1 db2 db3 haproxy tideover-a tideover-b; do
    is_running "$name" && echo "$name runs as $(pid_of "$name")" || echo "$name does not run"
  done
  for node in $nodes; do
    is_running "db$node" || continue
    echo "db$node: $(wsrep_status "$node" cluster_status), $(wsrep_status "$node" local_state_comment)," \
      "$(wsrep_status "$node" cluster_size) nodes, transaction $(wsrep_status "$node" last_committed)"
  done
}
