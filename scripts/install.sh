#!/bin/sh
# Installs, updates and removes the Plimsoll collector on Linux and macOS. What it puts where: docs/install.md.
# Everything stands in functions and only the last line calls one: a download cut short runs nothing.
set -eu
umask 022

PROGRAM=/usr/local/bin/plimsoll
KIT=/usr/local/lib/plimsoll
SETTINGS=/etc/plimsoll/agent.conf
TOKEN_FILE=/etc/plimsoll/enrolment-token
UNIT=/etc/systemd/system/plimsoll.service
LABEL=app.plimsoll.collector
PLIST=/Library/LaunchDaemons/$LABEL.plist
LAUNCHD_LOG=/var/log/plimsoll.log
OPENRC=/etc/init.d/plimsoll
OPENRC_LOG=/var/log/plimsoll.log
PROXY_FILE=/etc/plimsoll/proxy.env
LOCK=/var/run/plimsoll-install.lock

# Public key of the releases (ECDSA P-256, base64). A release writes it here; in a checkout it is empty, since its kits
# are built by their owner and have no signature.
RELEASE_KEY=''

# Exit statuses; docs/install.md lists them.
FAILED=1 USAGE=2 UNSUPPORTED=3 MISMATCH=4 SILENT=5 ROLLED_BACK=6
# A first report leaves within seconds of the start; after an update it may wait for its turn in the interval.
FIRST_REPORT_SECONDS=30

usage() {
  cat <<'END'
Usage: sh install.sh --url URL [--token TOKEN] [options]     install, or run again with other settings
       sh install.sh --update | --uninstall

  --url URL              address of the dashboard; kept from the last run when left out
  --token TOKEN          the token of its Setup page; asked for when neither given nor kept
  --token-file FILE      read the token from a file ("-": from standard input)
  --allow-http           accept a plain http address: the token travels in the clear
  --with-socket-owners   let it read which process holds a connection (two capabilities more)
  --without-socket-owners  take that back
  --with-smart           let it ask drives for their health by smartctl (docs/install.md: what that opens)
  --with-gpu             let it read GPUs of NVIDIA by nvidia-smi
  --with-zpool           let it read the size of pools of ZFS by zpool
  --with-journal         let it read errors and events of the kernel from the journal (docs/install.md: what then leaves
                         the host)
  --without-smart, --without-gpu, --without-zpool, --without-journal  take that back
  --with-containers      let it read state, names and restarts of containers from the socket of Docker or Podman.
                         Linux only. Who may use that socket can become root: see docs/install.md
  --without-containers   take that back
  --with-checks          let the dashboard choose checks (HTTP, TCP, DNS, TLS) that this host runs; public addresses only
                         unless check_networks in agent.conf names others
  --without-checks       take that back
  --proxy URL            reach the dashboard through this proxy ("none": no longer); default: HTTPS_PROXY, NO_PROXY
  --from FILE            install from this kit (plimsoll-VERSION-TARGET.tar.gz) instead of downloading
  --version VERSION      this version instead of the newest the dashboard has
  --allow-unsigned       accept a kit that the key of the releases did not sign
  --update               fetch the newest version; go back to the running one when it does not report
  --uninstall            tell the dashboard, then remove everything but the logs
  --non-interactive      never ask
  --dry-run              say what would be done and change nothing
  --help

Exit status: 0 done, 1 failed and nothing changed, 2 wrong arguments, 3 this platform is not supported,
4 checksum or signature mismatch and nothing changed, 5 installed but no report got through, 6 update rolled back.
END
}

say() { printf 'plimsoll: %s\n' "$*" >&2; }
die() {
  status=$1
  shift
  say "$*"
  exit "$status"
}
has() { command -v "$1" >/dev/null 2>&1; }
# Runs a command that changes the machine; in a dry run only says it.
run() {
  if [ "$dry_run" = yes ]; then say "would run: $*"; else "$@"; fi
}

need_value() { if [ -z "${2:-}" ]; then die $USAGE "$1 needs a value; see --help"; fi; }

read_arguments() {
  action=install url='' token='' token_file='' allow_http='' from='' version=latest
  socket_owners='' smart='' gpu='' zpool='' journal='' containers='' checks='' proxy=''
  allow_unsigned=no
  interactive=yes dry_run=no
  while [ $# -gt 0 ]; do
    case $1 in
      --url | --token | --token-file | --from | --version | --proxy) need_value "$@" ;;
    esac
    case $1 in
      --url) url=${2%/} && shift ;;
      --token) token=$2 && shift ;;
      --token-file) token_file=$2 && shift ;;
      --from) from=$2 && shift ;;
      --version) version=$2 && shift ;;
      --proxy) proxy=$2 && shift ;;
      --allow-http) allow_http=true ;;
      --allow-unsigned) allow_unsigned=yes ;;
      --with-socket-owners) socket_owners=yes ;;
      --without-socket-owners) socket_owners=no ;;
      --with-smart) smart=yes ;;
      --without-smart) smart=no ;;
      --with-gpu) gpu=yes ;;
      --without-gpu) gpu=no ;;
      --with-zpool) zpool=yes ;;
      --without-zpool) zpool=no ;;
      --with-journal) journal=yes ;;
      --without-journal) journal=no ;;
      --with-containers) containers=yes ;;
      --without-containers) containers=no ;;
      --with-checks) checks=yes ;;
      --without-checks) checks=no ;;
      --update) action=update ;;
      --uninstall) action=uninstall ;;
      --non-interactive) interactive=no ;;
      --dry-run) dry_run=yes ;;
      --help | -h) usage && exit 0 ;;
      *) die $USAGE "unknown argument: $1; see --help" ;;
    esac
    shift
  done
  case $version in [!0-9A-Za-z]* | *..* | *[!0-9A-Za-z.-]*) die $USAGE "--version must look like 1.2.3, got $version" ;; esac
}

# ---- the machine

detect_target() {
  case $(uname -s) in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    *) die $UNSUPPORTED "$(uname -s) is not supported; the collector runs on Linux and macOS" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
    armv*) die $UNSUPPORTED "$(uname -m) is not supported: the runtime of the collector has no build for 32-bit ARM. See docs/install.md" ;;
    *) die $UNSUPPORTED "$(uname -m) is not supported; there are builds for x86_64 and arm64" ;;
  esac
  # Under Rosetta uname says x86_64.
  if [ $os = darwin ] && [ "$(sysctl -n hw.optional.arm64 2>/dev/null || echo 0)" = 1 ]; then machine=arm64; fi
  if [ $os = linux ] && has getconf && [ "$(getconf LONG_BIT)" = 32 ]; then
    die $UNSUPPORTED "this system is 32-bit; there are builds for 64-bit systems only"
  fi
  target=$os-$machine
  if [ $os = linux ] && [ "$(detect_libc)" = musl ]; then target=$target-musl; fi
}

# glibc wherever its loader is, unless the system says it is Alpine: gcompat puts a loader of that name there.
detect_libc() {
  if [ ! -e /etc/alpine-release ]; then
    for loader in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1 /lib64/ld-linux-aarch64.so.1; do
      if [ -e "$loader" ]; then echo glibc && return; fi
    done
  fi
  for loader in /lib/ld-musl-x86_64.so.1 /lib/ld-musl-aarch64.so.1; do
    if [ -e "$loader" ]; then echo musl && return; fi
  done
  echo glibc
}

detect_manager() {
  # Not /var/lib/plimsoll: there a dashboard on the same machine may keep its database.
  state_dir=/var/lib/plimsoll-collector account=plimsoll
  if [ $os = darwin ]; then
    manager=launchd state_dir=/var/db/plimsoll-collector account=_plimsoll
  elif [ -d /run/systemd/system ] && has systemctl; then
    manager=systemd
    # LoadCredential came with 247: root keeps the token file. Else it belongs to the account.
    systemd_version=$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
    if [ "${systemd_version:-0}" -ge 247 ]; then token_owner=root; fi
  elif [ -d /run/openrc ] && has rc-service; then
    manager=openrc
  else
    manager=none
  fi
  token_owner=${token_owner:-$account}
}

# ---- settings

setting() { if [ -f $SETTINGS ]; then sed -n "s/^[[:space:]]*$1[[:space:]]*=[[:space:]]*//p" $SETTINGS | tail -n 1; fi; }

# Replaces one line and keeps the owner's others.
set_setting() {
  if [ "$(setting "$1")" = "$2" ]; then return; fi
  if [ "$dry_run" = yes ]; then say "would set $1 = $2 in $SETTINGS" && return; fi
  if [ -f $SETTINGS ]; then sed "/^[[:space:]]*$1[[:space:]]*=/d" $SETTINGS >$SETTINGS.new; else : >$SETTINGS.new; fi
  printf '%s = %s\n' "$1" "$2" >>$SETTINGS.new
  mv -f $SETTINGS.new $SETTINGS
}

remove_setting() {
  if [ -z "$(setting "$1")" ]; then return; fi
  if [ "$dry_run" = yes ]; then say "would remove $1 from $SETTINGS" && return; fi
  sed "/^[[:space:]]*$1[[:space:]]*=/d" $SETTINGS >$SETTINGS.new
  mv -f $SETTINGS.new $SETTINGS
}

# Succeeds if $url leads to this machine, by the collector's rule. 127.0.0.1.evil.test does not.
is_loopback() {
  authority=${url#http://}
  printf '%s\n' "${authority%%/*}" | grep -Eq '^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:[0-9]+)?$'
}

resolve_url() {
  if [ -z "$url" ]; then url=$(setting url); fi
  [ -n "$url" ] || die $USAGE "--url is missing: the address of the dashboard, as its Setup page shows it"
  case $url in
    *[!][A-Za-z0-9:/._~%-]*) die $USAGE "--url holds a character an address cannot have" ;;
  esac
  # curl keeps to these, redirects included.
  protocols='=https'
  case $url in
    https://?*) ;;
    http://?*)
      protocols='=http,https'
      if ! is_loopback && [ "${allow_http:-$(setting allow_http)}" != true ]; then
        die $USAGE "$url is plain http: the token would travel in the clear. Use https, or add --allow-http"
      fi
      ;;
    *) die $USAGE "--url must start with https:// or http://, got $url" ;;
  esac
}

# Finds the proxy and passes it to curl and wget, which read the lower case only. An update has no environment of its
# owner (sudo, cron), so it reads what the installation kept.
resolve_proxy() {
  case $url in
    https:*) proxy_name=HTTPS_PROXY found=${https_proxy:-${HTTPS_PROXY:-${all_proxy:-${ALL_PROXY:-}}}} ;;
    *) proxy_name=HTTP_PROXY found=${http_proxy:-${HTTP_PROXY:-${all_proxy:-${ALL_PROXY:-}}}} ;;
  esac
  exempt=${no_proxy:-${NO_PROXY:-}}
  if [ -z "$proxy$found" ] && [ -f $PROXY_FILE ]; then
    found=$(kept_proxy $proxy_name)
    exempt=${exempt:-$(kept_proxy NO_PROXY)}
  fi
  case $proxy in
    none)
      proxy=''
      unset http_proxy https_proxy all_proxy HTTPS_PROXY ALL_PROXY
      run rm -f $PROXY_FILE
      ;;
    '') proxy=$found ;;
  esac
  case "$proxy$exempt" in
    *[\'\"\\]* | *[[:cntrl:]]*) die $USAGE "the proxy or NO_PROXY holds a character that an address cannot have" ;;
  esac
  case $proxy in *' '*) die $USAGE "the proxy holds a space" ;; esac
  if [ -z "$proxy" ]; then return; fi
  export http_proxy="$proxy" https_proxy="$proxy" no_proxy="$exempt"
}

kept_proxy() { sed -n "s/^$1='\(.*\)'\$/\1/p" $PROXY_FILE; }

# The service has no environment of its owner. A proxy may hold a password, so only root reads the file.
save_proxy() {
  if [ -z "$proxy" ]; then return; fi
  if [ "$dry_run" = yes ]; then say "would write $PROXY_FILE (readable by root only)" && return; fi
  (umask 077 && printf "NO_PROXY='%s'\n%s='%s'\n" "$exempt" "$proxy_name" "$proxy" >$PROXY_FILE.new)
  mv -f $PROXY_FILE.new $PROXY_FILE
}

resolve_token() {
  if [ "$token_file" = - ]; then
    token=$(cat)
  elif [ -n "$token_file" ]; then
    token=$(cat "$token_file") || die $USAGE "cannot read --token-file $token_file"
  fi
  if [ -z "$token" ] && [ ! -s $TOKEN_FILE ]; then ask_token; fi
  case $token in
    *[!A-Za-z0-9._~-]*) die $USAGE "the token holds a character no token has; copy it again from the Setup page" ;;
  esac
}

ask_token() {
  # Standard input may be this script itself (curl | sh), so the question goes to the terminal.
  if [ $interactive = no ] || ! (: </dev/tty) 2>/dev/null; then
    die $USAGE "no token. Copy one from $url/setup and pass it: --token TOKEN, or --token-file FILE"
  fi
  printf 'Token from %s/setup: ' "$url" >/dev/tty
  stty -echo </dev/tty
  read -r token </dev/tty || token=''
  stty echo </dev/tty
  printf '\n' >/dev/tty
  [ -n "$token" ] || die $USAGE "no token given"
}

save_settings() {
  run mkdir -p /etc/plimsoll
  new_identity=no
  if [ -n "$(setting url)" ] && [ "$(setting url)" != "$url" ]; then new_identity=yes; fi
  if [ -n "$token" ] && [ "$token" != "$(cat $TOKEN_FILE 2>/dev/null)" ]; then
    new_identity=yes
    if [ "$dry_run" = yes ]; then say "would write $TOKEN_FILE (readable by its owner only)"; else write_token; fi
  fi
  set_setting url "$url"
  if [ -n "$allow_http" ]; then set_setting allow_http true; fi
  case $containers in
    yes) set_setting container_socket "$container_socket" ;;
    no) remove_setting container_socket ;;
  esac
  case $checks in
    yes) set_setting checks true ;;
    no) remove_setting checks ;;
  esac
  set_setting state_dir $state_dir
  save_proxy
  # Another dashboard or another token: the secret of the old enrolment is of no use.
  if [ $new_identity = yes ]; then run rm -f "$state_dir/agent.json"; fi
}

write_token() {
  (umask 077 && printf '%s\n' "$token" >$TOKEN_FILE.new)
  chown "$token_owner" $TOKEN_FILE.new
  mv -f $TOKEN_FILE.new $TOKEN_FILE
}

# ---- download

fetch() { # URL FILE
  if has curl; then
    curl -fsSL --proto "$protocols" --connect-timeout 10 --retry 2 -o "$2" "$1"
  elif has wget; then
    # GNU wget alone has this, and only it follows a redirect to another protocol.
    secure=''
    if [ "$protocols" = =https ] && wget --help 2>&1 | grep -q -- --https-only; then secure=--https-only; fi
    wget -q -T 60 $secure -O "$2" "$1"
  else
    die $FAILED "neither curl nor wget is here: install one, or copy a kit over and pass it with --from"
  fi
}

sha256_of() {
  if has sha256sum; then sha256sum <"$1"; elif has shasum; then shasum -a 256 <"$1"; else openssl dgst -sha256 -r <"$1"; fi |
    cut -d ' ' -f 1
}

# Leaves the unpacked kit in $stage and its version in $new_version.
get_kit() {
  if [ -n "$from" ]; then
    kit=$from sums=$from.sha256
    [ -f "$sums" ] || die $USAGE "$sums is missing: copy it beside the kit, it holds the checksum"
  else
    kit=$stage/kit sums=$stage/sums
    fetch "$url/agent/$version/$target.sha256" "$sums" ||
      die $FAILED "no collector for $target (version $version) at $url/agent. If the address is right, make the kits on the dashboard's machine: npm run build:agent"
  fi
  expected=$(cut -d ' ' -f 1 <"$sums" | head -n 1)
  name=$(sed -n '1s/^[0-9a-f]\{64\}  plimsoll-\([0-9A-Za-z.-]*\)-'"$target"'\.tar\.gz$/\1/p' "$sums")
  [ -n "$name" ] || die $FAILED "what should be a checksum for $target is none; see that the address is the dashboard's"
  new_version=$name
}

# Ends the script unless the key of the releases signed the checksum, which names version, platform and bytes. The
# checksum comes from the dashboard as the kit does: only the signature refuses what a stranger put there.
check_signature() {
  if [ -z "$RELEASE_KEY" ] || [ $allow_unsigned = yes ]; then return; fi
  has openssl ||
    die $FAILED "openssl is missing: it checks the signature of the release. Install it, or add --allow-unsigned to trust the checksum alone"
  signature=$sums.sig
  if [ -n "$from" ]; then
    [ -f "$signature" ] || die $USAGE "$signature is missing: copy it beside the kit, it holds the signature"
  else
    fetch "$url/agent/$new_version/$target.sig" "$signature" ||
      die $MISMATCH "$url has no signature for $new_version: its kits are not those of the release. If you built them yourself, add --allow-unsigned"
  fi
  {
    echo '-----BEGIN PUBLIC KEY-----'
    echo "$RELEASE_KEY" | fold -w 64
    echo '-----END PUBLIC KEY-----'
  } >"$stage/key.pem"
  tr -d '\n' <"$signature" | openssl base64 -d -A >"$stage/signature" 2>/dev/null || :
  openssl dgst -sha256 -verify "$stage/key.pem" -signature "$stage/signature" "$sums" >/dev/null 2>&1 ||
    die $MISMATCH "the key of the releases did not sign $new_version for $target. Nothing was changed"
}

# A signature does not grow old: without this a stranger who controls the dashboard brings back a version with a hole.
# A version with "-" precedes the one without.
is_older() { # VERSION THAN
  awk -v a="$1" -v b="$2" 'BEGIN {
    split(a, x, /[.-]/); split(b, y, /[.-]/)
    for (i = 1; i <= 3; i++) if (x[i] + 0 != y[i] + 0) exit !(x[i] + 0 < y[i] + 0)
    exit !(a ~ /-/ && b !~ /-/)
  }'
}

unpack_kit() {
  check_signature
  if [ -z "$from" ]; then
    fetch "$url/agent/$new_version/$target" "$kit" || die $FAILED "cannot download $url/agent/$new_version/$target"
  fi
  got=$(sha256_of "$kit")
  [ "$got" = "$expected" ] || die $MISMATCH "checksum mismatch: expected $expected, got $got. Nothing was changed"
  tar -xzf "$kit" -C "$stage" || die $FAILED "cannot unpack the kit: is there room in $KIT?"
  said=$(BUN_JSC_useJIT=0 "$stage/plimsoll" version 2>&1) || die $FAILED "the new program does not run here: $said"
  [ "$said" = "plimsoll $new_version" ] || die $FAILED "the new program calls itself \"$said\", expected $new_version"
  BUN_JSC_useJIT=0 "$stage/plimsoll" once --print >"$stage/once" 2>&1 || [ -s "$stage/once" ] ||
    die $FAILED "the new program cannot collect here; run: plimsoll once --print"
}

# ---- files

# install(1) is not POSIX, and a rename within one folder is what makes the swap atomic.
put() { # FROM TO MODE
  cp "$1" "$2.new"
  chmod "$3" "$2.new"
  mv -f "$2.new" "$2"
}

keep_previous() {
  rm -rf $KIT/previous
  mkdir -p $KIT/previous
  ln $PROGRAM $KIT/previous/plimsoll 2>/dev/null || cp -p $PROGRAM $KIT/previous/plimsoll
  for file in $KIT_FILES; do if [ -f "$KIT/$file" ]; then cp -p "$KIT/$file" "$KIT/previous/$file"; fi; done
}

KIT_FILES='install.sh plimsoll.service socket-owners.conf smart.conf gpu.conf zpool.conf journal.conf token-file.conf app.plimsoll.collector.plist plimsoll.openrc'
place_files() { # FOLDER
  mkdir -p "$(dirname $PROGRAM)"
  put "$1/plimsoll" $PROGRAM 755
  # A version before this one, which a failed update goes back to, has fewer files.
  for file in $KIT_FILES; do if [ -f "$1/$file" ]; then put "$1/$file" "$KIT/$file" 644; else rm -f "$KIT/$file"; fi; done
  case $manager in
    systemd) put "$KIT/plimsoll.service" $UNIT 644 && place_drop_ins ;;
    launchd) place_plist ;;
    openrc) put "$KIT/plimsoll.openrc" $OPENRC 755 ;;
  esac
}

# launchd reads no file of variables, so those of the proxy stand in the property list, which then only root reads.
place_plist() {
  if [ ! -f $PROXY_FILE ]; then put "$KIT/$LABEL.plist" $PLIST 644 && return; fi
  entries=$(sed -n "s/&/\&amp;/g;s/</\&lt;/g;s/^\([A-Z_]*\)='\(.*\)'\$/    <key>\1<\/key><string>\2<\/string>/p" $PROXY_FILE)
  awk -v entries="$entries" '{ print } /<key>EnvironmentVariables/ { getline; print; print entries }' "$KIT/$LABEL.plist" |
    (umask 077 && cat >$PLIST.new)
  mv -f $PLIST.new $PLIST
}

place_drop_ins() {
  mkdir -p $UNIT.d
  if [ "$token_owner" != root ]; then put $KIT/token-file.conf $UNIT.d/token-file.conf 644; fi
  drop_in socket-owners "$socket_owners"
  drop_in smart "$smart" smartctl
  drop_in gpu "$gpu" nvidia-smi
  drop_in zpool "$zpool" zpool
  drop_in journal "$journal" journalctl
  case $containers in
    yes) write_containers_drop_in >$UNIT.d/containers.conf.new && mv -f $UNIT.d/containers.conf.new $UNIT.d/containers.conf ;;
    no) rm -f $UNIT.d/containers.conf ;;
  esac
  rmdir $UNIT.d 2>/dev/null || :
}

drop_in() { # NAME yes|no|"" PROGRAM
  case $2 in
    yes)
      put "$KIT/$1.conf" "$UNIT.d/$1.conf" 644
      if [ -n "${3:-}" ] && ! has "$3"; then say "--with-$1 reads by $3, which is not installed"; fi
      ;;
    no) rm -f "$UNIT.d/$1.conf" ;;
    *) if [ -f "$UNIT.d/$1.conf" ] && [ -f "$KIT/$1.conf" ]; then put "$KIT/$1.conf" "$UNIT.d/$1.conf" 644; fi ;;
  esac
}

write_containers_drop_in() {
  printf '%s\n' '# Installed by --with-containers: the group of the socket, which the collector only sends GET requests to.' \
    '# The group can do more than that: with Docker it can become root.' \
    '[Service]' "SupplementaryGroups=$container_group"
}

CONTAINER_SOCKETS='/run/docker.sock /run/podman/podman.sock'
# Leaves the socket of the container runtime in $container_socket and its group in $container_group.
find_container_socket() {
  [ $os = linux ] || die $UNSUPPORTED "--with-containers works on Linux only"
  container_socket=''
  for candidate in $(setting container_socket) $CONTAINER_SOCKETS; do
    if [ -S "$candidate" ]; then container_socket=$candidate && break; fi
  done
  [ -n "$container_socket" ] ||
    die $FAILED "no socket of Docker or Podman is here (looked for $CONTAINER_SOCKETS). For Podman run: systemctl enable --now podman.socket"
  container_group=$(stat -c %G "$container_socket")
  case $(stat -c %A "$container_socket") in
    s???rw*) ;;
    *) die $FAILED "the group $container_group may not use $container_socket. Set SocketGroup= and SocketMode=0660 in its socket unit" ;;
  esac
}

need_journal() {
  if [ $manager != systemd ]; then die $UNSUPPORTED "--with-journal needs systemd"; fi
  if has getent && ! getent group systemd-journal >/dev/null; then
    die $UNSUPPORTED "the group systemd-journal is missing here, so nobody but root can read the journal"
  fi
}

make_account() {
  if id $account >/dev/null 2>&1; then return; fi
  if [ $os = darwin ]; then
    number=300
    while dscl . -list /Users UniqueID | grep -q " $number\$"; do number=$((number + 1)); done
    dscl . -create /Groups/$account PrimaryGroupID $number
    dscl . -create /Users/$account UniqueID $number
    dscl . -create /Users/$account PrimaryGroupID $number
    dscl . -create /Users/$account UserShell /usr/bin/false
    dscl . -create /Users/$account NFSHomeDirectory /var/empty
    dscl . -create /Users/$account IsHidden 1
  elif has useradd; then
    useradd --system --user-group --no-create-home --home-dir $state_dir --shell /usr/sbin/nologin $account
  else
    addgroup -S $account
    adduser -S -D -H -h $state_dir -s /sbin/nologin -G $account $account
  fi
  : >$KIT/made-account
}

# Under systemd the unit's StateDirectory does this.
make_state() {
  if [ $manager = systemd ]; then return; fi
  mkdir -p $state_dir
  chmod 700 $state_dir
  chown $account $state_dir
  if [ $manager = launchd ]; then : >>$LAUNCHD_LOG && chown $account $LAUNCHD_LOG; fi
}

# ---- the service

# Succeeds if a drop-in clears the unit's credential, as images for LXC and Incus do in every container.
credential_cleared() {
  [ "$token_owner" = root ] && [ "$(systemctl cat plimsoll 2>/dev/null | grep '^LoadCredential=' | tail -n 1)" = LoadCredential= ]
}

# Succeeds if systemd could not pass the credential (243, EXIT_CREDENTIALS).
credential_failed() {
  [ $manager = systemd ] && [ "$token_owner" = root ] && [ "$(systemctl show -p ExecMainStatus --value plimsoll)" = 243 ]
}

# Without credentials the account reads the token file itself; nobody else may.
use_token_file() {
  say "systemd passes no credential to the service here (LoadCredential= is cleared or fails): the account $account reads $TOKEN_FILE itself"
  token_owner=$account
  chown $account $TOKEN_FILE
  chmod 600 $TOKEN_FILE
  place_drop_ins
  systemctl daemon-reload
}

start_service() {
  case $manager in
    systemd)
      systemctl daemon-reload
      if credential_cleared; then use_token_file; fi
      systemctl enable --quiet plimsoll
      systemctl restart plimsoll
      ;;
    launchd)
      launchctl bootout system/$LABEL 2>/dev/null || :
      launchctl enable system/$LABEL
      # What was booted out may still be on its way, and until it is gone this fails.
      for _ in 1 2 3 4 5; do
        if launchctl bootstrap system $PLIST 2>/dev/null; then return; fi
        sleep 1
      done
      launchctl bootstrap system $PLIST
      ;;
    openrc)
      rc-update add plimsoll default >/dev/null 2>&1
      rc-service plimsoll restart >/dev/null
      ;;
  esac
}

stop_service() {
  case $manager in
    systemd) systemctl disable --quiet --now plimsoll 2>/dev/null || : ;;
    launchd) launchctl bootout system/$LABEL 2>/dev/null || : ;;
    openrc)
      rc-service plimsoll stop >/dev/null 2>&1 || :
      rc-update del plimsoll default >/dev/null 2>&1 || :
      ;;
  esac
}

# Whether it ended by itself, waiting for another start or not.
service_ended() {
  case $manager in
    systemd)
      case $(systemctl show -p SubState --value plimsoll) in failed | dead | auto-restart) return 0 ;; *) return 1 ;; esac
      ;;
    launchd) launchctl print system/$LABEL 2>/dev/null | grep -q 'last exit code = [1-9]' ;;
    # supervise-daemon starts it again, so its own end is the end of all attempts.
    openrc) ! rc-service plimsoll status >/dev/null 2>&1 ;;
    none) false ;;
  esac
}

log_tail() {
  case $manager in
    systemd) journalctl -u plimsoll -n 20 --no-pager -o cat ;;
    launchd) tail -n 20 $LAUNCHD_LOG ;;
    openrc) tail -n 20 $OPENRC_LOG ;;
  esac >&2 || :
}

# Waits until a report collected since $started is accepted.
wait_for_report() { # SECONDS
  deadline=$(($(date +%s) + $1))
  while [ "$(date +%s)" -lt $deadline ]; do
    if $PROGRAM update --reported-since "$started" >/dev/null 2>&1; then return 0; fi
    if service_ended; then return 1; fi
    sleep 0.2 2>/dev/null || sleep 1
  done
  return 1
}

retry_without_credential() {
  credential_failed || return 1
  use_token_file
  systemctl restart plimsoll || :
  wait_for_report $FIRST_REPORT_SECONDS
}

# ---- what the script is called for

begin() {
  if [ "$dry_run" = no ]; then
    [ "$(id -u)" = 0 ] || die $FAILED "run this as root: put sudo before sh"
    mkdir $LOCK 2>/dev/null || die $FAILED "another run is at work; if none is, remove $LOCK"
    trap 'rm -rf $LOCK $KIT/stage; rmdir $KIT 2>/dev/null || :' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
  fi
}

make_stage() {
  stage=$KIT/stage
  rm -rf "$stage"
  mkdir -p "$stage"
}

install_collector() {
  if [ "$containers" = yes ]; then find_container_socket; fi
  if [ "$journal" = yes ]; then need_journal; fi
  resolve_url
  resolve_proxy
  resolve_token
  if [ "$dry_run" = yes ]; then
    save_settings
    say "would install the collector for $target from ${from:-$url/agent} to $PROGRAM, run by ${manager}"
    return
  fi
  make_stage
  get_kit
  unpack_kit
  make_account
  save_settings
  place_files "$stage"
  make_state
  if [ $manager = none ]; then
    say "$new_version is in place. No systemd, OpenRC or launchd here: let your init system run, as user $account,"
    runtime=$(sed -n 's/^Environment=\(BUN_.*\)/\1/p' "$stage/plimsoll.service" | tr '\n' ' ')
    say "env ${runtime}PLIMSOLL_ENROLMENT_TOKEN_FILE=$TOKEN_FILE $PROGRAM run"
    if [ -f $PROXY_FILE ]; then say "and with the variables of $PROXY_FILE"; fi
    return
  fi
  started=$(date +%s)
  start_service || :
  if ! wait_for_report $FIRST_REPORT_SECONDS && ! retry_without_credential; then
    log_tail
    die $SILENT "$new_version is installed, but no report reached $url in $FIRST_REPORT_SECONDS s; the log's end is above"
  fi
  say "$new_version is installed and reports as $(uname -n): $url/servers"
}

update_collector() {
  [ -x $PROGRAM ] || die $FAILED "the collector is not installed here"
  resolve_url
  resolve_proxy
  if [ "$dry_run" = yes ]; then say "would fetch the newest collector for $target from $url/agent" && return; fi
  make_stage
  get_kit
  running=$($PROGRAM version 2>/dev/null || :)
  if [ "$running" = "plimsoll $new_version" ]; then say "$new_version is what runs already" && return; fi
  if [ "$version" = latest ] && is_older "$new_version" "${running#plimsoll }"; then
    die $MISMATCH "$new_version is older than ${running#plimsoll }, which runs, and may lack its corrections. Nothing was changed. If you want it: --update --version $new_version"
  fi
  unpack_kit
  keep_previous
  place_files "$stage"
  started=$(date +%s)
  start_service || :
  interval=$(setting interval)
  if wait_for_report $((${interval:-60} * 3 + 2)); then
    rm -rf $KIT/previous
    say "updated from ${running#plimsoll } to $new_version; it reports to $url/servers"
    return
  fi
  log_tail
  place_files $KIT/previous
  start_service || :
  die $ROLLED_BACK "$new_version did not report; ${running#plimsoll } runs again, the log's end is above"
}

uninstall_collector() {
  if [ "$dry_run" = yes ]; then say "would stop the service and remove everything but the logs" && return; fi
  stop_service
  if [ -x $PROGRAM ]; then
    "$PROGRAM" uninstall --goodbye 2>/dev/null || say "the dashboard was not told: it will show this server as offline"
  fi
  made_account=no
  if [ -f $KIT/made-account ]; then made_account=yes; fi
  rm -rf $UNIT $UNIT.d $PLIST $OPENRC $PROGRAM $KIT /etc/plimsoll $state_dir
  if [ $manager = systemd ]; then
    systemctl daemon-reload
    systemctl reset-failed plimsoll 2>/dev/null || :
  fi
  if [ $made_account = yes ]; then remove_account; fi
  say "removed; the dashboard keeps what was reported until you delete the server there"
}

remove_account() {
  if [ $os = darwin ]; then
    dscl . -delete /Users/$account && dscl . -delete /Groups/$account
  elif has userdel; then
    userdel $account
  else
    deluser $account
  fi
}

main() {
  read_arguments "$@"
  detect_target
  detect_manager
  begin
  case $action in
    install) install_collector ;;
    update) update_collector ;;
    uninstall) uninstall_collector ;;
  esac
}

main "$@"; exit
