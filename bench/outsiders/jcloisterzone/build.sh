#!/bin/sh
# Clones JCloisterZone and the library vavr into out/outsiders/ and compiles the bridge to it.
#
#   bench/outsiders/jcloisterzone/build.sh
#   SOURCE=/a/clone VAVR=/a/clone bench/outsiders/jcloisterzone/build.sh     from clones that are there
#
# Needs git, a JDK (11 to 17) and the jars of guava, gson and slf4j. On Debian they are in libguava-java,
# libgoogle-gson-java and libslf4j-java; JARS is the folder that has them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$here/../../../out/outsiders/jcloisterzone
jars=${JARS:-/usr/share/java}
commit=55fdc208da8a64f37139a3c299629fb0870b7547 # without the client; the players are in the commit before
mkdir -p "$out/jars"
if [ ! -d "$out/source" ]; then
  git clone --quiet "${SOURCE:-https://github.com/farin/JCloisterZone}" "$out/source"
  git -C "$out/source" checkout --quiet "$commit"
  git -C "$out/source" checkout --quiet "$commit^" -- src/main/java/com/jcloisterzone/ai
fi
if [ ! -d "$out/vavr" ]; then
  git -c advice.detachedHead=false clone --quiet --branch v0.10.2 "${VAVR:-https://github.com/vavr-io/vavr}" "$out/vavr"
fi
for name in guava gson slf4j-api slf4j-nop; do
  cp "$jars/$name.jar" "$out/jars/"
done
rm -rf "$out/classes"
find "$out/vavr/vavr/src/main/java" "$out/vavr/vavr/src-gen/main/java" "$out/vavr/vavr-match/src/main/java" \
  -name '*.java' > "$out/vavr.files"
javac --release 8 -nowarn -proc:none -d "$out/classes" "@$out/vavr.files"
javac -nowarn -proc:none -encoding UTF-8 -cp "$out/classes:$out/jars/*" -sourcepath "$out/source/src/main/java" \
  -d "$out/classes" "$here/src/Ask.java"
cp -r "$out/source/src/main/resources/tile-definitions" "$out/classes/"
echo "built: out/outsiders/jcloisterzone/classes" >&2
