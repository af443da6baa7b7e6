import type { NetworkInterfaceInfo } from 'node:os';

/** Bridges and tunnels of container runtimes: no other machine reaches this one through them. */
const VIRTUAL = /^(br-|cali|cni|docker|flannel|kube|lxc|lxd|podman|veth|virbr|vmnet)/;
const LINK_LOCAL = '169.254.';

/** Returns the IPv4 addresses at which another machine of the network may reach this one, in the order of the system. */
export const lanAddresses = (interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string[] =>
  Object.entries(interfaces)
    .filter(([name]) => !VIRTUAL.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .filter(({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith(LINK_LOCAL))
    .map(({ address }) => address);
