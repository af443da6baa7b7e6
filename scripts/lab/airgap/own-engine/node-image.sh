#!/usr/bin/env bash
# kind's node image, made here: a Debian root, the files of kind's own images/base (from its Go module), Kubernetes
# binaries, images imported as `kind build node-image` does. Saved to $OUT.
# BIN: compiled tools; ROOTS: see roots.sh; RUN: running engine; IMAGE: name to give; VERSION: of Kubernetes;
# STORAGE_VERSION: of local-path-provisioner; TOOLS: folder of the Go modules; NETWORK: manifest of the CNI stand-in.
set -euo pipefail
: "${BIN:?}" "${OUT:?}" "${ROOTS:?}" "${RUN:?}" "${IMAGE:?}" "${VERSION:?}" "${STORAGE_VERSION:?}" "${TOOLS:?}" "${NETWORK:?}"
export PATH=$ROOTS/engine/usr/bin:$ROOTS/engine/usr/sbin:$PATH DOCKER_HOST=unix://$RUN/docker.sock
kind=$(cd "$TOOLS/kind" && go list -m -f '{{.Dir}}' sigs.k8s.io/kind)
root=$RUN/node
rm -rf "$root"
cp -a "$ROOTS/node" "$root"

base_files() {
  local files=$kind/images/base/files
  cp -r --no-preserve=mode,ownership "$files/etc/." "$root/etc/"
  cp -r --no-preserve=mode,ownership "$files/kind" "$root/"
  install -m755 "$files/usr/local/bin/entrypoint" "$root/usr/local/bin/"
  chmod 755 "$root"/kind/bin/*
  rm -f "$root"/lib/systemd/system/sysinit.target.wants/systemd-tmpfiles-setup.service \
    "$root"/lib/systemd/system/multi-user.target.wants/* "$root"/etc/systemd/system/*.wants/* \
    "$root"/lib/systemd/system/local-fs.target.wants/* "$root"/lib/systemd/system/sockets.target.wants/*udev* \
    "$root"/lib/systemd/system/sockets.target.wants/*initctl* "$root"/lib/systemd/system/basic.target.wants/*
  echo ReadKMsg=no >>"$root/etc/systemd/journald.conf"
  ln -sf /lib/systemd/systemd "$root/sbin/init"
  local name
  for name in containerd ctr containerd-shim-runc-v2; do ln -sf "/usr/bin/$name" "$root/usr/local/bin/$name"; done
  mkdir -p "$root"/opt/cni/bin "$root"/etc/cni/net.d "$root"/etc/kubernetes/manifests "$root"/kind/manifests
  cp -L "$root"/usr/lib/cni/{host-local,loopback,ptp,portmap,bridge} "$root/opt/cni/bin/"
  systemctl --root="$root" enable kubelet.service containerd.service undo-mount-hacks.service 2>/dev/null
  systemctl --root="$root" mask systemd-binfmt.service 2>/dev/null
}

# No CAP_SYS_RESOURCE: scores and limits stay as they are (kind's entrypoint does the same in user namespaces).
containerd_settings() {
  sed -i -e 's/restrict_oom_score_adj = false/restrict_oom_score_adj = true/' \
    -e 's#registry.k8s.io/pause:#localhost/pause:#' "$root/etc/containerd/config.toml"
  chroot "$root" /usr/local/bin/ctr oci spec |
    jq '.hooks.createContainer[.hooks.createContainer | length] |= . + {"path": "/kind/bin/mount-product-files.sh"}' |
    jq 'del(.process.rlimits)' >"$root/etc/containerd/cri-base.json"
}

kubernetes() {
  install -m755 "$BIN"/{kubelet,kubectl,kubeadm} "$root/usr/bin/"
  printf %s "$VERSION" >"$root/kind/version"
  cp "$NETWORK" "$root/kind/manifests/default-cni.yaml"
  # kind's own manifest, with our image names. Its Go source quotes with backticks: single quotes are meant.
  # shellcheck disable=SC2016
  sed -n '/^const defaultStorageManifest = `/,/^`/p' "$kind/pkg/build/nodeimage/const_storage.go" | sed '1d;$d' |
    sed -e "s#\` + storageProvisionerImage + \`#localhost/local-path-provisioner:$STORAGE_VERSION#" \
      -e 's#` + storageHelperImage + `#localhost/local-path-helper:local#' >"$root/kind/manifests/default-storage.yaml"
}

import_images() {
  local state=$RUN/import archive
  mkdir -p "$root/var/lib/containerd" "$state"
  cat >"$state/containerd.toml" <<C
version = 2
root = "$root/var/lib/containerd"
state = "$state/state"
disabled_plugins = ["io.containerd.grpc.v1.cri"]
[grpc]
  address = "$state/containerd.sock"
[plugins."io.containerd.internal.v1.opt"]
  path = "$state/opt"
C
  containerd -c "$state/containerd.toml" >"$RUN/log/import.log" 2>&1 &
  local pid=$!
  until [ -S "$state/containerd.sock" ]; do sleep 0.05; done
  for archive in "$@"; do
    ctr -a "$state/containerd.sock" -n k8s.io images import --label=io.cri-containerd.pinned=pinned \
      --all-platforms --no-unpack "$archive" >/dev/null
  done
  kill $pid
  wait $pid || true
  rm -rf "$state"
}

base_files
containerd_settings
kubernetes
import_images "$@"
tar -C "$root" --numeric-owner -c . |
  docker import -c 'ENV container=docker' -c 'ENTRYPOINT ["/usr/local/bin/entrypoint","/sbin/init"]' - "$IMAGE-root" >/dev/null
rm -rf "$root"
# `docker import` knows no STOPSIGNAL.
printf 'FROM %s-root\nSTOPSIGNAL SIGRTMIN+3\n' "$IMAGE" | DOCKER_BUILDKIT=0 docker build -q -t "$IMAGE" - >/dev/null
docker rmi "$IMAGE-root" >/dev/null
docker save "$IMAGE" | zstd -q -T0 -3 -f -o "$OUT.new"
mv "$OUT.new" "$OUT"
