#!/bin/sh
# Clones meeple_cat into out/outsiders/ and builds the bridge to it with cargo.
#
#   bench/outsiders/meeple_cat/build.sh
#   SOURCE=/a/clone bench/outsiders/meeple_cat/build.sh     from a clone that is there already
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$here/../../../out/outsiders
commit=ec7e3e19df4541012b05e07a60d5a1765c13675f
mkdir -p "$out"
if [ ! -d "$out/meeple_cat" ]; then
  git clone --quiet "${SOURCE:-https://github.com/ocarreras/meeple_cat}" "$out/meeple_cat"
  git -C "$out/meeple_cat" checkout --quiet "$commit"
fi
CARGO_TARGET_DIR=$out/target cargo build --release --quiet --manifest-path "$here/Cargo.toml"
echo "built: out/outsiders/target/release/meeple-cat-bridge" >&2
