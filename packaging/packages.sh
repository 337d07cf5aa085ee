# The Debian 12 packages that the project needs, and how to install those that are missing. Sourced by the scripts
# beside it.
# shellcheck shell=bash
# shellcheck disable=SC2034  # the scripts read the lists

# For the API reference. Another distribution of Node.js brings its own npm, with which Debian's packages conflict.
node_packages=$(command -v npm >/dev/null || echo nodejs npm)
build_packages="g++ cmake make ninja-build pkg-config
  libpoco-dev libexpat1-dev libssl-dev libyaml-cpp-dev libcli11-dev libfmt-dev libcurl4-openssl-dev zlib1g-dev
  libzstd-dev libsqlite3-dev libmysqlcppconn-dev liblua5.4-dev rapidjson-dev prometheus-cpp-dev
  libhowardhinnant-date-dev libhpdf-dev tzdata ca-certificates
  $node_packages"
quickstart_packages="python3"
cluster_packages="mariadb-server galera-4 rsync haproxy iproute2 nftables procps"
fuzz_packages="clang libclang-rt-14-dev"
gate_packages="clang-tidy"
# What tests/tidy runs.
tidy_packages="git clang-format lua-check shellcheck"
test_packages="libboost-test-dev patch python3 openssl curl jq $tidy_packages $cluster_packages"

# install_packages NAME...: installs those that are missing; as root, or through sudo.
install_packages() {
  local missing="" name
  for name in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || missing="$missing $name"
  done
  [ -z "$missing" ] && return 0
  local as_root=""
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "These packages are missing and there is neither root nor sudo to install them:$missing" >&2
      return 1
    fi
    as_root="sudo"
  fi
  echo "Installing:$missing"
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# build_release [CMAKE-OPTION...]: configures and builds build/release. ccache is used where it is installed.
build_release() {
  local launcher=""
  command -v ccache >/dev/null && launcher="-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache"
  # A checkout that was copied or moved brings a cache of another place along.
  local fresh=""
  grep -qsx "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" build/release/CMakeCache.txt || fresh="--fresh"
  cmake --preset release $fresh $launcher -DTIDEOVER_FILES_TOGETHER=ON "$@" >/dev/null
  cmake --build --preset release -j "$(nproc)"
}
