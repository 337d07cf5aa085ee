# HAProxy and the two Tideover nodes. Sourced by `cluster`.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # `cluster` and the parts share their variables

sql_front_port() { echo $((first_port + 12)); }
api_front_port() { echo $((first_port + 13)); }
http_port() { [ "$1" = a ] && echo $((first_port + 14)) || echo $((first_port + 16)); }
ops_port() { [ "$1" = a ] && echo $((first_port + 15)) || echo $((first_port + 17)); }

hex() { od -An -v -tx1 | tr -d ' \n'; }

# packet SEQUENCE PAYLOAD-IN-HEX: as MariaDB's protocol frames it.
packet() {
  local length=$((${#2} / 2))
  printf '%02x%02x%02x%02x%s' $((length & 255)) $((length >> 8 & 255)) 0 "$1" "$2"
}
# Protocol 4.1, no password, the user `health`, who may do nothing but log in.
login_packet() { packet 1 "01820000000000012d$(printf '00%.0s' $(seq 23))$(printf health | hex)0000"; }
# The server concatenates the word, so that no error message that quotes the query can be mistaken for the result.
question_packet() {
  packet 0 "03$(printf '%s' "SELECT CONCAT('usa', 'ble') AS state FROM information_schema.GLOBAL_STATUS WHERE" \
    " (VARIABLE_NAME = 'WSREP_READY' AND VARIABLE_VALUE = 'ON')" \
    " OR (VARIABLE_NAME = 'WSREP_LOCAL_STATE_COMMENT' AND VARIABLE_VALUE = 'Synced')" \
    " OR (VARIABLE_NAME = 'WSREP_CLUSTER_STATUS' AND VARIABLE_VALUE = 'Primary') HAVING COUNT(*) = 3" | hex)"
}

start_proxy() {
  ! is_running haproxy || return 0
  local node databases="" services=""
  for node in $nodes; do
    databases+="  server db$node $(address_of "$node"):$(sql_port "$node") check"$'\n'
  done
  for node in a b; do
    services+="  server tideover-$node 127.0.0.1:$(http_port "$node") check port $(ops_port "$node")"$'\n'
  done
  fill "$here/haproxy.cfg.in" FOLDER "$folder" SQL_FRONT_PORT "$(sql_front_port)" API_FRONT_PORT "$(api_front_port)" \
    LOGIN_PACKET "$(login_packet)" QUESTION_PACKET "$(question_packet)" DATABASE_SERVERS "$databases" \
    API_SERVERS "$services" >"$folder/haproxy.cfg"
  start_process haproxy "$(program haproxy)" -db -f "$folder/haproxy.cfg"
}

front_answers() {
  timeout 2 "$(program mariadb)" --no-defaults --host=127.0.0.1 --port="$(sql_front_port)" --user=tideover \
    --password="$(cat "$folder/mysql-password")" --execute="SELECT 1" tideover >/dev/null 2>&1
}
wait_for_front() {
  eventually 20 front_answers || die "no database node is reached through HAProxy; see $folder/haproxy.out"
}

# answers PORT PATH STATUS
answers() {
  local answer
  exec 3<>"/dev/tcp/127.0.0.1/$1" || return 1
  printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n' "$2" >&3
  read -r -t 5 answer <&3 || answer=""
  exec 3>&-
  [[ $answer == *" $3 "* ]]
}

start_services() {
  local node
  for node in a b; do
    fill "$here/tideover.yaml.in" FOLDER "$folder" SOURCE "$source_dir" PLUGINS "$build/plugins" NODE "tideover-$node" \
      HTTP_PORT "$(http_port "$node")" OPS_PORT "$(ops_port "$node")" SQL_FRONT_PORT "$(sql_front_port)" \
      >"$folder/tideover-$node.yaml"
  done
  # Also creates the tables and the key ring, before two nodes want to do it at once.
  [ -s "$folder/client" ] ||
    (umask 077 && "$build/tideover" client create --config "$folder/tideover-a.yaml" --tenant example --role admin \
      >"$folder/client")
  for node in a b; do
    is_running "tideover-$node" ||
      start_process "tideover-$node" "$build/tideover" serve --config "$folder/tideover-$node.yaml"
  done
  for node in a b; do
    eventually 20 answers "$(ops_port "$node")" /readyz 200 2>/dev/null ||
      die "tideover-$node is not ready; see $folder/tideover-$node.out"
  done
  eventually 10 answers "$(api_front_port)" /v1/health 401 2>/dev/null ||
    die "HAProxy does not reach the Tideover nodes"
}

client_value() { sed -n "s/^client_$1=//p" "$folder/client"; }

walk_money_path() {
  local samples=$source_dir/packaging/quickstart.d
  TIDEOVER_CLIENT_SECRET=$(client_value secret) python3 "$samples/money_path.py" \
    --url "http://127.0.0.1:$(api_front_port)" --client-id "$(client_value id)" --samples "$samples/samples"
}

how_to_reach() {
  trap - EXIT
  cat <<TEXT
The cluster keeps running in $folder.
  packaging/cluster/cluster status --folder $folder
  packaging/cluster/cluster down --folder $folder
TEXT
  if [ "$databases_only" = no ]; then
    cat <<TEXT
TIDEOVER_URL=http://127.0.0.1:$(api_front_port)
TIDEOVER_NODE_A=http://127.0.0.1:$(http_port a) (operations: $(ops_port a))
TIDEOVER_NODE_B=http://127.0.0.1:$(http_port b) (operations: $(ops_port b))
TIDEOVER_CLIENT_ID=$(client_value id)
TIDEOVER_CLIENT_SECRET=$(client_value secret)
TEXT
  fi
  echo "DATABASE=127.0.0.1:$(sql_front_port) (user tideover, password in $folder/mysql-password)"
  local node
  for node in $nodes; do echo "DATABASE_NODE_$node=$(address_of "$node"):$(sql_port "$node")"; done
}
