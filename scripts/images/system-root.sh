#!/bin/sh
# Copies what Node, Bun, find and cp need from a Debian root, and nothing that runs by itself: no shell, no package manager.
# Usage: system-root.sh BASE OUT
set -eu
base=$1 out=$2
libraries=$(basename "$(dirname "$(ls "$base"/usr/lib/*-linux-gnu/libc.so.6)")")
mkdir -p "$out/usr/lib/$libraries" "$out/usr/bin" "$out/etc/ssl/certs" "$out/tmp" "$out/var/lib"
chmod 1777 "$out/tmp"
for name in libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libresolv.so.2 libgcc_s.so.1 libstdc++.so.6 \
  libselinux.so.1 libpcre2-8.so.0 libacl.so.1 libattr.so.1; do
  cp -L "$base/usr/lib/$libraries/$name" "$out/usr/lib/$libraries/"
done
# The loader has a fixed path on each machine.
ln -s usr/lib "$out/lib"
case $libraries in
  x86_64-*)
    mkdir "$out/usr/lib64" && ln -s usr/lib64 "$out/lib64"
    cp -L "$base/usr/lib/$libraries/ld-linux-x86-64.so.2" "$out/usr/lib64/"
    ;;
  aarch64-*) cp -L "$base/usr/lib/$libraries/ld-linux-aarch64.so.1" "$out/usr/lib/" ;;
  *) echo "system-root.sh: $libraries is neither x86_64 nor aarch64" >&2 && exit 1 ;;
esac
cp "$base/etc/ssl/certs/ca-certificates.crt" "$out/etc/ssl/certs/"
printf 'root:x:0:0::/:/nologin\nnobody:x:65534:65534::/:/nologin\n' >"$out/etc/passwd"
printf 'root:x:0:\nnogroup:x:65534:\n' >"$out/etc/group"
echo 'hosts: files dns' >"$out/etc/nsswitch.conf"
# A release of Debian, for scanners.
cp -L "$base/usr/lib/os-release" "$out/etc/os-release"
