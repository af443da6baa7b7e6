import type { Files } from '../../runtime/files.ts';

const TREE = 'proc/device-tree';
/** `compatible` of the node "hypervisor", as systemd-detect-virt reads it. */
const HYPERVISORS: readonly (readonly [RegExp, string])[] = [
  [/^linux,kvm/, 'kvm'],
  [/xen/, 'xen'],
  [/vmware/, 'vmware'],
];

/**
 * Names the hypervisor of a machine without DMI tables: by the device tree (ARM, POWER, RISC-V) or by /proc/sysinfo (IBM
 * Z, where an LPAR is the hardware). Null: they name none.
 */
export function firmwareHypervisor(files: Files, cpuinfo: string): string | null {
  if (/^vendor_id\s*:\s*User Mode Linux$/m.test(cpuinfo)) return 'uml';
  const program = /^VM00 Control Program:\s*(\S+)/m.exec(files.optional('proc/sysinfo') ?? '')?.[1];
  if (program !== undefined) return program.startsWith('KVM') ? 'kvm' : program === 'z/VM' ? 'zvm' : 'hypervisor';
  const guest = files.optional(`${TREE}/hypervisor/compatible`);
  if (guest !== null) return HYPERVISORS.find(([pattern]) => pattern.test(guest))?.[1] ?? 'hypervisor';
  // Strings end with a zero byte.
  const compatible = (files.optional(`${TREE}/compatible`) ?? '').split('\0');
  if (compatible.includes('qemu,pseries')) return 'kvm';
  if (isPartition(files)) return 'powervm';
  if (files.list(TREE).some((name) => name.startsWith('fw-cfg'))) return 'kvm';
  // The board that QEMU, Firecracker, crosvm and kvmtool invent.
  return compatible.includes('linux,dummy-virt') ? 'hypervisor' : null;
}

/** PowerVM gives its partitions names, and its console manages them. */
const isPartition = (files: Files): boolean =>
  ['ibm,partition-name', 'hmc-managed?'].every((name) => files.stat(`${TREE}/${name}`) !== null);
