# Sourced by script/test: finds a Chromium for the browser tests, or installs it where that needs no
# password; otherwise prints one line. Sets CARTULARY_CHROMIUM.

first_of() {
  for name in "$@"; do
    if command -v "$name" 2>/dev/null; then return 0; fi
  done
  return 1
}

# The headless shell is Chromium without the windows around a page: a page costs half the CPU there.
shell_on_path() {
  first_of chromium-headless-shell
}

any_on_path() {
  first_of chromium chromium-browser google-chrome google-chrome-stable
}

playwright_chromium() {
  python - <<'PY'
import os, sys
from playwright.sync_api import sync_playwright

with sync_playwright() as browsers:
    path = browsers.chromium.executable_path
if not os.path.exists(path):
    sys.exit(1)
print(path)
PY
}

install_package() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || return 1
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$1"; } \
    >/dev/null 2>&1
}

# CI begins on a fresh machine and installs the shell; a machine that has another Chromium keeps it. The
# shell shows no notices of the system: for those tests CI also needs the whole Chromium.
find_or_install() {
  if [ "${CI:-}" ] && ! any_on_path >/dev/null; then install_package chromium || true; fi
  shell_on_path && return
  if [ "${CI:-}" ] && install_package chromium-headless-shell; then shell_on_path && return; fi
  any_on_path && return
  playwright_chromium && return
  if install_package chromium-headless-shell; then shell_on_path && return; fi
  if install_package chromium; then any_on_path && return; fi
  timeout 300 python -m playwright install chromium >/dev/null 2>&1 && playwright_chromium
}

find_chromium() {
  CARTULARY_CHROMIUM=${CARTULARY_CHROMIUM:-$(find_or_install || true)}
  if [ -z "$CARTULARY_CHROMIUM" ]; then
    echo "no Chromium found, and the installation failed: pytest skips the browser tests" >&2
  fi
  export CARTULARY_CHROMIUM
}
