# Sourced by script/test: finds a Chromium for the browser tests, or installs it where that needs no
# password; otherwise prints one line. Sets CARTULARY_CHROMIUM.

chromium_on_path() {
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" 2>/dev/null; then return 0; fi
  done
  return 1
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

install_chromium() {
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; } \
      >/dev/null 2>&1
  else
    timeout 300 python -m playwright install chromium >/dev/null 2>&1
  fi
}

find_chromium() {
  if [ -z "${CARTULARY_CHROMIUM:-}" ]; then
    CARTULARY_CHROMIUM=$(chromium_on_path || playwright_chromium || true)
  fi
  if [ -z "$CARTULARY_CHROMIUM" ] && install_chromium; then
    CARTULARY_CHROMIUM=$(chromium_on_path || playwright_chromium || true)
  fi
  if [ -z "$CARTULARY_CHROMIUM" ]; then
    echo "no Chromium found, and the installation failed: pytest skips the browser tests" >&2
  fi
  export CARTULARY_CHROMIUM
}
