# Sourced by the other scripts: makes .venv from a lock file, once, and puts it on the PATH.
#
#   setup run    the libraries of the service (requirements.lock: extras server, postgres)
#   setup dev    also the libraries of the tests and checks (requirements-dev.lock: extra dev)
#
# The second call only computes one hash. Needs Python >= 3.11 and no other software.

find_python() {
  for candidate in "${PYTHON:-python3}" python3.14 python3.13 python3.12 python3.11 python3; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$candidate"
      return 0
    fi
  done
  echo "Cartulary needs Python 3.11 or newer; set PYTHON to one." >&2
  return 1
}

# Installs every second library of the lock: those with an even number (0) or an odd one (1).
install_half() {
  half=$(mktemp)
  awk -v half="$1" '/^[^ #]/ { number++ } number % 2 == half' "$lock" >"$half"
  failed=0
  python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps "$compile" \
    -r "$half" || failed=1
  rm -f "$half"
  return $failed
}

setup() {
  case "$1" in
    run) lock=requirements.lock ;;
    dev) lock=requirements-dev.lock ;;
    *) echo "setup: run or dev, not '$1'" >&2; return 2 ;;
  esac
  if [ ! -x .venv/bin/python ]; then
    python=$(find_python) || return 1
    "$python" -m venv .venv || {
      echo "could not make .venv (on Debian and Ubuntu: apt install python3-venv)" >&2
      return 1
    }
  fi
  PATH="$PWD/.venv/bin:$PATH"
  export PATH
  # Images of containers often forbid Python to store what it compiles. Every process of the service
  # and of the tests would then compile each module that it imports: a start takes 5.5 s of the
  # processor instead of 2.1 s.
  unset PYTHONDONTWRITEBYTECODE
  stamp=$(cat "$lock" pyproject.toml | cksum | tr ' ' -)
  if [ ! -e ".venv/$1-$stamp" ]; then
    echo "installing $lock into .venv …" >&2
    # pip takes half of its time to compile every module of every library, and Python compiles what
    # it imports. But a service may run as a user who cannot store what Python has compiled.
    compile=--compile
    if [ "$1" = dev ]; then compile=--no-compile; fi
    # pip computes on one processor, so two of them install a half each. The lock has each library
    # that another library needs (`script/lock --check` says so), so neither looks for more.
    install_half 0 &
    other_half=$!
    halves=0
    install_half 1 || halves=1
    wait "$other_half" || halves=1
    [ "$halves" = 0 ] || return 1
    python -m pip install --quiet --disable-pip-version-check \
      --no-deps --no-build-isolation --editable . || return 1
    rm -f .venv/"$1"-*
    : > ".venv/$1-$stamp"
    # The development lock contains every library of the service, at the same version.
    if [ "$1" = dev ]; then
      rm -f .venv/run-*
      : > ".venv/run-$(cat requirements.lock pyproject.toml | cksum | tr ' ' -)"
    fi
  fi
}
