# The processes of a cluster: each has run/NAME.pid in the folder and is known by it alone. Sourced by `cluster`.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # `cluster` and the parts share their variables

# start_process NAME COMMAND...: in the background, for good; its words go to NAME.out.
start_process() {
  local name=$1
  shift
  setsid "$@" </dev/null >>"$folder/$name.out" 2>&1 &
  echo $! >"$folder/run/$name.pid"
  disown $!
}

# The process id, if that process still is one of ours: every command line of ours names the folder.
pid_of() {
  local pid
  pid=$(cat "$folder/run/$1.pid" 2>/dev/null) || return 1
  grep -qs -z -F -- "$folder" "/proc/$pid/cmdline" || return 1
  echo "$pid"
}

is_running() { pid_of "$1" >/dev/null; }

# For a process that may end at any moment: fails without a word when there is none.
signal_if_running() {
  local pid
  pid=$(pid_of "$1") && kill "-$2" "$pid" 2>/dev/null
}

signal_process() { signal_if_running "$1" "$2" || die "$1 does not run"; }

wait_for_end() {
  local name=$1 rounds=${2:-300}
  while is_running "$name"; do
    [ $((rounds--)) -gt 0 ] || return 1
    sleep 0.1
  done
}

# In order if it can be had within 20 seconds.
stop_process() {
  signal_if_running "$1" CONT || return 0
  signal_if_running "$1" TERM || return 0
  wait_for_end "$1" 200 && return 0
  signal_if_running "$1" KILL || return 0
  wait_for_end "$1" || die "$1 does not end"
}

# eventually SECONDS COMMAND...: until it succeeds.
eventually() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.1
  done
}

watch_owner() {
  [ -n "$owner" ] || return 0
  start_process owner bash -c 'while kill -0 "$1" 2>/dev/null; do sleep 0.5; done; exec "$2" down --folder "$3"' \
    watch "$owner" "$here/cluster" "$folder"
}

make_folder() {
  [ -n "$folder" ] || { folder=$(mktemp -d "${TMPDIR:-/tmp}/tideover-cluster.XXXXXX"); own_folder=yes; }
  mkdir -p "$folder"
  folder=$(cd "$folder" && pwd)
  [ ! -e "$folder/settings.sh" ] || die "$folder holds a cluster already; take another folder, or remove this one"
  [ ${#folder} -le 80 ] || die "the path $folder is too long for the sockets in it; take one of at most 80 characters"
  chmod 711 "$folder"
  mkdir -p "$folder/run"
}

port_is_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# 20 ports in a row, below those that the kernel gives to outgoing connections.
choose_ports() {
  local try port
  if [ -z "$first_port" ]; then
    for try in $(seq 50); do
      first_port=$((12000 + 20 * ((RANDOM + $$) % 900)))
      for port in $(seq "$first_port" $((first_port + 19))); do
        port_is_taken "$port" && continue 2
      done
      return 0
    done
    die "found no 20 free ports in a row; name the first with --first-port"
  fi
  for port in $(seq "$first_port" $((first_port + 19))); do
    ! port_is_taken "$port" || die "something listens on port $port already"
  done
}

# What later commands need to know of this cluster.
write_settings() {
  cat >"$folder/settings.sh" <<SETTINGS
folder='$folder'
build='$build'
first_port=$first_port
separate=$separate
databases_only=$databases_only
SETTINGS
}

# fill TEMPLATE WORD VALUE...: the template with its @WORDS@ replaced.
fill() {
  local text
  text=$(cat "$1")
  shift
  while [ $# -gt 0 ]; do
    text=${text//@$1@/$2}
    shift 2
  done
  printf '%s\n' "$text"
}

show_logs() {
  local log
  echo "cluster: it did not work; the ends of the logs in $folder:" >&2
  for log in "$folder"/*.out "$folder"/*/error.log "$folder"/*.log; do
    [ -s "$log" ] || continue
    echo "--- $log" >&2
    tail -n 15 "$log" >&2
  done
}

down() {
  local name
  for name in tideover-a tideover-b haproxy; do stop_process "$name"; done
  # Together, because the one that goes last need not wait for others.
  for name in db1 db2 db3; do stop_process "$name" & done
  wait
  [ "$separate" = no ] || remove_namespaces
  # The watcher last: it may be the one who asked.
  local watcher
  if watcher=$(pid_of owner) && [ "$watcher" != $$ ]; then stop_process owner; fi
}
