#!/usr/bin/env bash
# Unpacks what scripts/images/system-root.sh copies from Debian, for any machine and without running a program of it.
# Usage: library-root.sh amd64|arm64 OUT
set -euo pipefail
arch=$1 out=$2 fresh=$2.new
[ -d "$out" ] && exit
rm -rf "$fresh"
mkdir -p "$fresh" "$out.apt"/{lists/partial,cache/archives/partial,deb}
: >"$out.apt/status"
# The machine's own mirrors and keys, with lists and a state of their own: apt's of the machine stay as they are.
options=(-qq -o "APT::Architecture=$arch" -o "APT::Architectures=$arch" -o "Dir::State::Lists=$out.apt/lists"
  -o "Dir::State::Status=$out.apt/status" -o "Dir::Cache=$out.apt/cache" -o APT::Sandbox::User=root)
apt-get "${options[@]}" update
(cd "$out.apt/deb" && apt-get "${options[@]}" download base-files libc6 libgcc-s1 libstdc++6 libselinux1 libpcre2-8-0 \
  libacl1 libattr1 findutils coreutils dash)
for package in "$out.apt/deb"/*.deb; do dpkg-deb -x "$package" "$fresh"; done
# Debian 12 keeps the folders of / in /usr; a package may still name them without.
for name in bin lib; do
  mkdir -p "$fresh/usr/$name"
  if [ -d "$fresh/$name" ]; then cp -a "$fresh/$name/." "$fresh/usr/$name/" && rm -r "${fresh:?}/$name"; fi
done
mkdir -p "$fresh/etc/ssl/certs"
cp /etc/ssl/certs/ca-certificates.crt "$fresh/etc/ssl/certs/"
rm -r "$out.apt"
mv "$fresh" "$out"
