#!/usr/bin/env bash
# What the own engine is made of besides compiled Go: Debian packages, unpacked here, not installed.
# ROOTS: folder for the results. Does only what is missing.
#   $ROOTS/engine    docker.io            $ROOTS/busybox   static busybox and links to it
#   $ROOTS/node      root of the nodes    $ROOTS/xtables   iptables and nft with their libraries
#   $ROOTS/base      root the product's images start from
set -euo pipefail
: "${ROOTS:?}"
mkdir -p "$ROOTS"
cd "$ROOTS"

unpack() { # package folder
  [ -d "$2" ] && return
  rm -rf "$2.new" && mkdir -p "$2.new/deb"
  (cd "$2.new/deb" && apt-get download -qq "$1")
  dpkg-deb -x "$2.new/deb/$1"_*.deb "$2.new"
  rm -r "$2.new/deb" && mv "$2.new" "$2"
}

bootstrap() { # folder packages
  [ -d "$1" ] && return
  # The machine's own mirror, as apt knows it; $(SITE) is apt's word.
  local mirror
  # shellcheck disable=SC2016
  mirror=$(apt-get indextargets --format '$(SITE)' | grep -m1 '/debian/*$')
  rm -rf "$1.new"
  debootstrap --variant=minbase --include="$2" bookworm "$1.new" "$mirror" >"$1.log" 2>&1 || {
    tail -n 20 "$1.log" >&2
    exit 1
  }
  rm -rf "$1.new"/var/cache/apt/* "$1.new"/var/lib/apt/lists/* "$1.new"/usr/share/{doc,man,locale,info} "$1.new"/var/log/*.log
  mv "$1.new" "$1"
}

links() { # folder with the names busybox goes by
  [ -d busybox ] && return
  rm -rf busybox.new && mkdir -p busybox.new/bin
  cp -L busybox.deb/bin/busybox busybox.new/bin/
  local name
  for name in sh mkdir rm cat sleep wget nslookup dd; do ln -s busybox "busybox.new/bin/$name"; done
  mv busybox.new busybox
}

# The .so files pull in libm: without it every Service rule with a probability fails, and kube-proxy stays "ready".
xtables() {
  [ -d xtables ] && return
  local lib=usr/lib/x86_64-linux-gnu so
  [ "$(uname -m)" = x86_64 ] || { echo "own engine: made for x86_64, this is $(uname -m)" >&2; exit 1; }
  rm -rf xtables.new && mkdir -p xtables.new/usr/sbin "xtables.new/$lib/xtables" xtables.new/usr/lib64 xtables.new/etc
  cp -L node/usr/sbin/{xtables-nft-multi,xtables-legacy-multi,nft} xtables.new/usr/sbin/
  for so in iptables iptables-save iptables-restore ip6tables ip6tables-save ip6tables-restore; do
    ln -s xtables-nft-multi "xtables.new/usr/sbin/$so"
  done
  cp node/$lib/xtables/*.so "xtables.new/$lib/xtables/"
  chroot node sh -c "ldd /usr/sbin/xtables-nft-multi /usr/sbin/xtables-legacy-multi /usr/sbin/nft /$lib/xtables/*.so" |
    sed -nE 's/.*=> (\/[^ ]+).*/\1/p' | sort -u | while read -r so; do
    mkdir -p "xtables.new/usr$(dirname "${so#/usr}")"
    cp -L "node$so" "xtables.new/usr${so#/usr}"
  done
  cp -L node/lib64/ld-linux-x86-64.so.2 xtables.new/usr/lib64/
  ln -s usr/lib64 xtables.new/lib64
  ln -s usr/lib xtables.new/lib
  mv xtables.new xtables
}

unpack docker.io engine
unpack busybox-static busybox.deb
links
bootstrap node systemd,systemd-sysv,dbus,containerd,runc,containernetworking-plugins,iptables,nftables,conntrack,iproute2,ethtool,socat,util-linux,mount,ebtables,kmod,procps,hostname,ca-certificates,jq,bash,libseccomp2,pigz
bootstrap base ca-certificates
xtables
