#!/usr/bin/env bash
# engine.sh start|stop: a Docker engine in its own network, mount and pid namespace, for machines that have none.
# Its bridges and firewall rules never touch the host, and one kill ends everything in it.
# RUN: folder for sockets, logs and container layers; ROOTS: see roots.sh; NAME: of the namespace and the cgroup.
set -euo pipefail
: "${RUN:?}" "${ROOTS:?}" "${NAME:?}"
here=$(cd "$(dirname "$0")" && pwd)
export RUN ROOTS NAME PATH=$ROOTS/engine/usr/bin:$ROOTS/engine/usr/sbin:$PATH DOCKER_HOST=unix://$RUN/docker.sock

containerd_config() { # root state socket
  cat <<C
version = 2
root = "$1"
state = "$2"
disabled_plugins = ["io.containerd.grpc.v1.cri"]
[grpc]
  address = "$3"
[plugins."io.containerd.internal.v1.opt"]
  path = "$2/opt"
C
}

inner() {
  mount --make-rshared /
  # kind bind-mounts /lib/modules; where there is none dockerd would make it on the host.
  if [ ! -d /lib/modules ]; then
    mount -t overlay overlay -o "lowerdir=/usr/lib,upperdir=$RUN/overlay/lib,workdir=$RUN/overlay/lib.work" /usr/lib
    mkdir -p /usr/lib/modules
  fi
  # dockerd writes /etc/docker/key.json.
  mount -t overlay overlay -o "lowerdir=/etc,upperdir=$RUN/overlay/etc,workdir=$RUN/overlay/etc.work" /etc
  mount -t tmpfs tmpfs /run/docker
  containerd -c "$RUN/containerd.toml" >"$RUN/log/containerd.log" 2>&1 &
  until [ -S "$RUN/containerd.sock" ]; do sleep 0.05; done
  # Without CAP_SYS_RESOURCE no limit can be raised and no score lowered: ask for what any machine grants.
  dockerd -H "$DOCKER_HOST" --containerd="$RUN/containerd.sock" --data-root="$RUN/docker" --exec-root="$RUN/docker-exec" \
    --pidfile="$RUN/dockerd.pid" --storage-driver=overlay2 --exec-opt native.cgroupdriver=cgroupfs --cgroup-parent="/$NAME" \
    --oom-score-adjust=0 --dns 127.0.0.1 --default-ulimit nofile=20000:20000 --default-ulimit nproc=20000:20000 \
    --add-runtime=granted="$here/runc-granted.sh" --default-runtime=granted \
    --userland-proxy-path="$ROOTS/engine/usr/sbin/docker-proxy" --init-path="$ROOTS/engine/usr/bin/docker-init" \
    >"$RUN/log/dockerd.log" 2>&1 &
  wait
}

start() {
  mkdir -p "$RUN"/{log,docker,containerd} "$RUN"/overlay/{lib,lib.work,etc,etc.work}
  [ -d /run/docker ] || { mkdir /run/docker && touch "$RUN/made-run-docker"; }
  ip netns add "$NAME"
  nsenter --net="/run/netns/$NAME" ip link set lo up
  containerd_config "$RUN/containerd" "$RUN/containerd-state" "$RUN/containerd.sock" >"$RUN/containerd.toml"
  rm -f "$RUN"/*.sock "$RUN/dockerd.pid"
  # nsenter, not `ip netns exec`: that one hides the cgroup mounts.
  setsid nsenter --net="/run/netns/$NAME" \
    unshare -m -p -f --mount-proc --kill-child --propagation private bash "$here/engine.sh" inner \
    >"$RUN/log/engine.log" 2>&1 </dev/null &
  echo $! >"$RUN/engine.pid"
  for _ in $(seq 200); do
    docker info >/dev/null 2>&1 && return
    sleep 0.1
  done
  echo "the engine did not start; its logs are in $RUN/log" >&2
  tail -n 20 "$RUN"/log/*.log >&2
  stop
  exit 1
}

stop() {
  if [ -f "$RUN/engine.pid" ]; then
    pid=$(cat "$RUN/engine.pid")
    # After a restart of the machine the pid may be another program's.
    tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -q 'engine\.sh inner' || pid=none
    [ "$pid" = none ] || kill -KILL "$pid" 2>/dev/null || true
    while [ -d "/proc/$pid" ] && ! grep -q '^State:.Z' "/proc/$pid/status" 2>/dev/null; do sleep 0.05; done
  fi
  ip netns del "$NAME" 2>/dev/null || true
  [ ! -f "$RUN/made-run-docker" ] || rmdir /run/docker 2>/dev/null || true
  # The groups empty a moment after their last process.
  for _ in $(seq 50); do
    local left=0 group
    for group in /sys/fs/cgroup/"$NAME" /sys/fs/cgroup/*/"$NAME"; do
      [ -d "$group" ] || continue
      find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || left=1
    done
    [ $left = 0 ] && break
    sleep 0.1
  done
  rm -rf "$RUN"
}

"${1:?start|stop}"
