# Sourced by script/bundle and script/client: installs the packages of a lock file.
#
#   npm_packages FOLDER    FOLDER/node_modules as FOLDER/package-lock.json says; does it once
#
# Returns 1 with a reason where node or npm is missing or the registry does not answer. Ends the
# script with 1 when package.json or package-lock.json is wrong.

npm_packages() {
  node -e "process.exit(Number(parseInt(process.versions.node) < 20))" 2>/dev/null || {
    echo "node (https://nodejs.org) 20 or newer is missing" >&2
    return 1
  }
  if cmp -s "$1/package-lock.json" "$1/node_modules/.installed"; then return 0; fi
  command -v npm >/dev/null || {
    echo "npm is missing" >&2
    return 1
  }
  said=$(cd "$1" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error \
    --fetch-retries=1 --fetch-timeout=10000 2>&1) || {
    echo "$said" >&2
    case $said in # what npm reports when package.json or package-lock.json is wrong
      *EUSAGE* | *EINTEGRITY* | *EJSONPARSE* | *E404* | *ETARGET*) exit 1 ;;
    esac
    echo "npm cannot install the packages of $1" >&2
    return 1
  }
  cp "$1/package-lock.json" "$1/node_modules/.installed"
}
