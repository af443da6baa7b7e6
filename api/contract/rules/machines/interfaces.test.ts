import { describe, expect, it } from 'vitest';
import { interfaceKind, isAzureFunction, operatingSystemOf, outwardNames } from './interfaces.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

describe('outwardNames', () => {
  it.each([
    [
      'Proxmox',
      'linux',
      'lo enp5s0 vmbr0 vmbr0.20 vmbr0v20 fwbr101i0 fwpr101p0 fwln101i0 tap101i0 veth102i0 vmbr1',
      'enp5s0',
    ],
    ['Docker', 'linux', 'lo ens3 docker0 docker_gwbridge br-5f1c2a9d3b77 veth1a2b3c4', 'ens3'],
    ['Calico', 'linux', 'lo eth0 tunl0 cali0f3e1c2d4b5 vxlan.calico wireguard.cali kube-ipvs0 nodelocaldns', 'eth0'],
    ['Flannel', 'linux', 'lo eno1 eno2 flannel.1 cni0 vethd3adbeef', 'eno1 eno2'],
    ['Cilium', 'linux', 'lo ens5 cilium_net cilium_host cilium_vxlan lxc_health lxc1a2b3c4d5e6f', 'ens5'],
    ['Amazon', 'linux', 'lo eth0 eth1 eni0a1b2c3d4e5 vlan.eth.1', 'eth0 eth1'],
    ['Synology', 'linux', 'lo eth0 eth1 ovs_eth0 ovs_bond0 ovs-system bond0 docker0 tap024211', 'eth0 eth1'],
    ['Unraid', 'linux', 'lo eth0 eth1 bond0 br0 shim-br0 vhost0 wg0 tunl0 virbr0 vnet3', 'eth0 eth1'],
    ['libvirt', 'linux', 'lo enp1s0f0np0 virbr0 virbr0-nic vnet0 macvtap0 br0', 'enp1s0f0np0'],
    ['Podman', 'linux', 'lo wlp2s0 podman0 cni-podman0 veth0', 'wlp2s0'],
    [
      'VPN gateway',
      'linux',
      'lo eth0 wg0 wg-mullvad tun0 tailscale0 ztabcdefgh ppp0 ip6tnl0 sit0 gre0 gretap0',
      'eth0',
    ],
    ['encrypted links', 'linux', 'lo eth0 macsec0 awg0 amn0 vpn0 surfshark_wg fctvpn0b1c2d3e', 'eth0'],
    ['IPv6 alone', 'linux', 'lo wwan0 wlan0 clat clat4 v4-wlan0', 'wwan0 wlan0'],
    ['Neutron', 'linux', 'lo eno1 brq1a2b3c4d-5e tap1a2b3c4d-5e eno1.100', 'eno1'],
    ['ipvlan of Docker, netkit, CAN', 'linux', 'lo eth0 dm-0a1b2c3d4e5f netkit0 vxcan0', 'eth0'],
    ['bond', 'linux', 'lo eno1 eno2 bond0 bond0.100 bond-storage team0 vlan20 eth0:1', 'eno1 eno2'],
    [
      'OpenStack',
      'linux',
      'lo enp2s0 br-int br-ex br-tun ovs-system qbr1234 qvo1234 qvb1234 tap1234 vxlan_sys_4789',
      'enp2s0',
    ],
    ['Calico with eBPF', 'linux', 'lo eth0 bpfin.cali bpfout.cali egress.calico cali1a2b3c4d5e6', 'eth0'],
    ['Nomad', 'linux', 'lo eth0 nomad veth1a2b3c4 docker0', 'eth0'],
    ['oVirt and Harvester', 'linux', 'lo em1 bond0 ovirtmgmt ;vdsmdummy; mgmt-br mgmt-bo vnet0', 'em1'],
    ['bridges by the end of their names', 'linux', 'lo eno1 cloudbr0 cloudbr1 cloud0 kvmbr0 lab-br minikube0', 'eno1'],
    [
      'Kube-OVN, Antrea, Kilo, Submariner, Liqo',
      'linux',
      'lo eth0 ovn0 mirror0 antrea-gw0 antrea-tun0 antrea-egress0 kilo0 submariner liqo.host',
      'eth0',
    ],
    ['VPNs of a desktop', 'linux', 'lo wlp2s0 homevpn0 Meta singtun0 mullvad wgpia0 pia0 ham0 warp0', 'wlp2s0'],
    ['UniFi', 'linux', 'lo eth0 eth4 br0 br20 switch0 switch0.1 honeypot0 tlprt0 wgsrv1', 'eth0 eth4'],
    ['names of an owner', 'linux', 'lo lan0 wan dmz bond0', 'lan0 wan dmz'],
    ['nspawn', 'linux', 'lo host0 ve-inner vb-other', 'host0'],
    ['OpenVZ', 'linux', 'lo venet0 venet0:0', 'venet0'],
    [
      'macOS',
      'macos',
      'lo0 gif0 stf0 anpi0 en0 en1 en5 ap1 awdl0 llw0 bridge0 bridge100 utun0 utun3 vmenet0 XHC20',
      'en0 en1 en5',
    ],
    [
      'FreeBSD',
      'bsd',
      'lo0 em0 igb1 vtnet0 hn0 ix0 em0.100 vlan7 lagg0 bridge0 epair0a tap0 wg0 gif0 enc0 pflog0 pfsync0 usbus0 vm-public ovpns1',
      'em0 igb1 vtnet0 hn0 ix0',
    ],
    [
      'OpenBSD',
      'bsd',
      'lo0 em0 bnx1 iwx0 enc0 pflog0 vether0 veb0 vport0 trunk0 aggr0 carp1 pair0 wg0 pppoe0 vlan10',
      'em0 bnx1 iwx0',
    ],
    ['NetBSD', 'bsd', 'lo0 wm0 re0 agr0 npflog0 pppoe0 tap0 vlan0 l2tp0', 'wm0 re0'],
    ['Solaris', 'solaris', 'lo0 net0 e1000g1 aggr0 vnic3 ip.tun0 stub0 ipmp0', 'net0 e1000g1'],
    ['unknown system', null, 'lo lo0 en0 utun3 bridge100 vmenet0 awdl0 lagg0 epair0a', 'en0'],
  ] as const)('keeps the links of %s', (_, system, all, kept) => {
    expect(outwardNames(words(all), system)).toEqual(words(kept));
  });

  it('keeps the links of Windows', () => {
    const names = [
      'Ethernet',
      'Ethernet 2',
      'Wi-Fi',
      'vEthernet (Default Switch)',
      'Loopback Pseudo-Interface 1',
      'Local Area Connection* 9',
      'isatap.{A1B2}',
      'Teredo Tunneling Pseudo-Interface',
      'VMware Network Adapter VMnet8',
      'OpenVPN Wintun',
      'Fortinet SSL VPN Virtual Ethernet Adapter',
      'NordLynx',
      'Cloudflare WARP',
      'Zscaler Network Adapter 1.0.2.0',
      'Juniper Networks Virtual Adapter',
      'Mellanox ConnectX-4 Lx Virtual Ethernet Adapter',
      'Microsoft Azure Network Adapter Virtual Function',
      'Microsoft IP-HTTPS Platform Adapter',
      'Intel[R] Ethernet Connection I219-LM',
      'Microsoft Network Adapter Multiplexor Driver',
    ];
    const links = ['Ethernet', 'Ethernet 2', 'Wi-Fi', 'Intel[R] Ethernet Connection I219-LM'];
    expect(outwardNames(names, 'windows')).toEqual(links);
    expect(outwardNames(names, null)).toEqual(links);
  });

  it.each([
    ['lo bond0 br0 veth1', 'bond0'],
    ['lo br0 veth1 tap0', 'br0'],
    ['lo tap0', 'tap0'],
    ['lo dummy0', 'dummy0'],
    ['lo', ''],
  ])('without a link takes one level of %s', (all, kept) => {
    expect(outwardNames(words(all), 'linux').join(' ')).toBe(kept);
  });
});

it.each([
  ['enP30832s1', true],
  ['enP1s2np0', true],
  ['enP5p1s0f0', false],
  ['enp5s0', false],
])('%s is a virtual function on Azure: %s', (name, expected) => {
  expect(isAzureFunction(name)).toBe(expected);
});

it.each([
  ['Linux', 'linux'],
  ['Darwin', 'macos'],
  ['FreeBSD', 'bsd'],
  ['DragonFly', 'bsd'],
  ['SunOS', 'solaris'],
  ['windows', 'windows'],
  ['', null],
  ['plan9', null],
])('%s has the column %s', (name, column) => {
  expect(operatingSystemOf(name)).toBe(column);
});

it('has a kind for any name on a Mac', () => {
  expect(interfaceKind('anything', 'macos')).toBe('pseudo');
});
