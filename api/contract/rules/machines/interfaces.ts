/**
 * Kinds of network interfaces by their names, one column per operating system. Used where only names arrive; the
 * collector on Linux reads the relations of the interfaces and uses names as a last resort.
 * Sources of the names: systemd.net-naming-scheme(7), the manuals of the drivers (section 4 of each BSD), dladm(1M), and
 * the documentation of the programs that create interfaces (Docker, CNI plugins, Proxmox, libvirt, Synology, Unraid).
 */

/** The kind of an interface by its name. Only a `link` leads out of the machine; every other kind carries what a link carries too. */
export type InterfaceKind = 'link' | 'loopback' | 'bond' | 'bridge' | 'vlan' | 'tunnel' | 'guest' | 'pseudo';
export type OperatingSystem = 'linux' | 'macos' | 'bsd' | 'solaris' | 'windows';

type NamedKind = Exclude<InterfaceKind, 'link'>;
type Column = readonly (readonly [NamedKind, RegExp])[];

/** The first pattern that matches decides, so `flannel.1` is a tunnel and no VLAN. */
const LINUX: Column = [
  ['loopback', /^lo$/],
  [
    'pseudo',
    /^(?:dummy|ifb|imq|teql|nlmon|nodelocaldns|kube-ipvs|kube-dummy|vrf-|vcan|vxcan|dm-[0-9a-f]{12}$|hwsim|mon\.|mon\d|p2p-dev|pimreg|pim6reg|ip6leak|ipv6leak|pvpnks|;?vdsmdummy|honeypot\d)/,
  ],
  [
    'tunnel',
    /^(?:tun|utun|wg|wt\d|tailscale|zt[0-9a-z]{8}|awg|amn\d|clat|v4-|vpn|fctvpn|surfshark|nebula|ppp|sit\d|6in4|6rd|6to4|gre|gretap|erspan|ip6tnl|ip6gre|ip_vti|ip6_vti|vti|ipip|ipsec|xfrm|l2tp|vxlan|vx-|genev|flannel|cilium_(?:vxlan|geneve)|nordlynx|proton|CloudflareWARP|cscotun|gpd\d|fortissl|ovpn|n2n|edge\d|bat\d|wireguard|he-ipv6|kilo\d|submariner$|liqo|tlprt\d|mullvad|pia\d?$|Meta$|sdwan\d|antrea-egress|ham\d|warp\d|egress\.calico$)|(?:tun|vpn)\d{0,4}$/,
  ],
  [
    'bridge',
    /^(?:docker|br\d|br-|br_|brq[0-9a-f]{8}|bridge|virbr|vmbr|fwbr|xenbr|xapi\d|cni\d|cni-|podman|nerdctl|cbr\d|lxcbr|lxdbr|incusbr|mpqemubr|qbr|azure\d|ovs|qvs\d|weave|kube-bridge|antrea-gw|ovn-k8s|hassio|waydroid|genbr|natbr|k8s-|nomad$|ovirtmgmt$|minikube\d|switch\d|cloud\d|ovn\d|mirror\d)|[a-z-]br\d{0,4}$/,
  ],
  [
    'guest',
    /^(?:veth|vnet\d|tap|fwln|fwpr|vif\d|vmnet|vboxnet|cali|cilium_|netkit|lxc|lxd|ve-|vb-|vz-|eni[0-9a-f]{6}|gke[0-9a-f]{6}|azv|qvo|qvb|qr-|qg-|datapath|bpf(?:in|out)\.cali$)/,
  ],
  ['bond', /^(?:bond|team|lag\d|agg\d|nm-bond|nm-team|mgmt-bo$)/],
  [
    'vlan',
    /[.:]\d+$|^(?:vlan|macsec|macvlan|macvtap|ipvlan|ipvl_|shim-|vhost\d|mv-|iv-)|^(?:vmbr|eth|bond|br)\d+v\d+$/,
  ],
];

/** FreeBSD, DragonFly, OpenBSD and NetBSD: the drivers of NICs have many names, so the cloned interfaces are listed. */
const BSD: Column = [
  ['loopback', /^lo\d*$/],
  ['pseudo', /^(?:enc|pflog|npflog|pfsync|pflow|ipfw|disc|edsc|usbus|carp|rport|srt|canloop|faith)\d*$/],
  [
    'tunnel',
    /^(?:gif|gre|egre|mgre|nvgre|eoip|etherip|stf|tun|ovpns?|ovpnc|wg|vxlan|ipsec|sec|ppp|pppoe|sppp|l2tp|mpe|mpip|mpw|ng|sl|bpe|tailscale)\d+$|^tun_wg|^zt[0-9a-z]{8}/,
  ],
  ['bridge', /^(?:bridge|veb|vether|vport|switch|tpmr)\d+$|^vm-/],
  ['guest', /^(?:tap|pair)\d+$|^epair\d|^vnet\d|^e\d+[ab]_/],
  ['bond', /^(?:lagg|trunk|aggr|agr)\d+$/],
  ['vlan', /[.]\d+$|_vlan\d+$|^s?vlan\d+$/],
];

const SOLARIS: Column = [
  ['loopback', /^lo\d*$/],
  ['tunnel', /^ip6?\.tun\d|^tun\d|^overlay\d/],
  ['bridge', /^(?:stub|etherstub)\d/],
  ['guest', /^(?:vnic|zvnic|simnet)\d|\/vnic\d/],
  ['bond', /^(?:aggr|ipmp)\d/],
  ['vlan', /^vlan\d/],
];

const MACOS: Column = [
  ['loopback', /^lo\d*$/],
  ['tunnel', /^(?:utun|gif|stf|ipsec|ppp)\d+$/],
  ['bridge', /^bridge\d+$/],
  ['guest', /^(?:vmenet|vmnet|feth|vnic)\d+$/],
  ['bond', /^bond\d+$/],
  ['vlan', /^vlan\d+$/],
  ['pseudo', /^(?:anpi|ap|awdl|llw|nan|p2p|pktap|iptap|fw)\d+$|^XHC\d/],
];
/** Every link of a Mac, Thunderbolt and tethered telephones included, has such a name. */
const MACOS_LINK = /^(?:en|pdp_ip)\d+$/;

/** Names that people see (OpenTelemetry) and names of drivers (windows_exporter). */
const WINDOWS: Column = [
  ['loopback', /loopback/i],
  ['pseudo', /^Local Area Connection\* \d|WAN Miniport|Kernel Debug|-\d{4}$|Wi-Fi Direct Virtual/],
  [
    'tunnel',
    /^(?:isatap|teredo|6to4)|pseudo-interface|Wintun|TAP-Windows|TAP-NordVPN|VPN|PANGP|AnyConnect|NordLynx|Mullvad|IP-HTTPS|WireGuard|Tailscale|ZeroTier|Zscaler|Fortinet|Juniper Networks Virtual|Pulse Secure|Hamachi|Cloudflare ?WARP|Netskope/i,
  ],
  ['bridge', /^Hyper-V Virtual Switch/],
  [
    'guest',
    /^vEthernet \(|Hyper-V Virtual Ethernet|VMware Network Adapter|VMware Virtual Ethernet|VirtualBox Host-Only|Mellanox ConnectX-[\w ]{1,16}Virtual|Network Adapter Virtual Function/,
  ],
  ['bond', /Multiplexor|^NIC Team|^Team\s?\d/],
];

const COLUMNS: Readonly<Record<OperatingSystem, Column>> = {
  linux: LINUX,
  macos: MACOS,
  bsd: BSD,
  solaris: SOLARIS,
  windows: WINDOWS,
};
/** Linux comes first: most machines run it, and a name that two systems share is then read as Linux means it. */
const EVERY_COLUMN: Column = [...LINUX, ...MACOS, ...BSD, ...SOLARIS, ...WINDOWS];

const SYSTEMS: readonly (readonly [RegExp, OperatingSystem])[] = [
  [/linux/i, 'linux'],
  [/darwin|macos/i, 'macos'],
  [/bsd|dragonfly/i, 'bsd'],
  [/sunos|solaris|illumos/i, 'solaris'],
  [/windows/i, 'windows'],
];

/** Returns the column of a system by the name of its kernel or its `os.type`; null when it is none of these. */
export const operatingSystemOf = (name: string): OperatingSystem | null =>
  SYSTEMS.find(([pattern]) => pattern.test(name))?.[1] ?? null;

/** Returns the kind of an interface. Null as the system: it is not known, and the names of all systems count. */
export function interfaceKind(name: string, system: OperatingSystem | null): InterfaceKind {
  const column = system === null ? EVERY_COLUMN : COLUMNS[system];
  const kind = column.find(([, pattern]) => pattern.test(name))?.[0];
  if (kind !== undefined) return kind;
  return system === 'macos' && !MACOS_LINK.test(name) ? 'pseudo' : 'link';
}

/** Without a link, the interfaces of the first of these kinds count: inside a container the link may have any name. */
const STAND_INS: readonly InterfaceKind[] = ['link', 'bond', 'bridge', 'vlan', 'guest', 'tunnel', 'pseudo'];

/** Selects the interfaces at the border of the machine by name. Counts each byte once, if the names show which interface contains which. */
export function outwardNames(names: readonly string[], system: OperatingSystem | null): string[] {
  const byKind = Map.groupBy(names, (name) => interfaceKind(name, system));
  for (const kind of STAND_INS) {
    const found = byKind.get(kind);
    if (found !== undefined) return found;
  }
  return [];
}

/**
 * Returns true for the name of a virtual function on Azure (`enP30832s1`): the interface of the hypervisor beside it
 * counts its traffic too. Elsewhere a NIC in a PCI domain other than 0 has a bus in its name (`enP5p1s0`).
 */
export const isAzureFunction = (name: string): boolean => /^enP\d+s\d+(?:np\d+|d\d+)?$/.test(name);
