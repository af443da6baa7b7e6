import type { SystemPart } from '@plimsoll/contract/wire/report';
import type { Files } from '../runtime/files.ts';
import type { Moment, Source } from '../source.ts';
import { countCores, cpuLimit } from './enclosure/limited-cpu.ts';
import { enclosureOf } from './enclosure/enclosure.ts';
import { firmwareHypervisor } from './enclosure/firmware-hypervisor.ts';
import { readOsRelease } from './tables/os-release.ts';

/** Settings that the host's files do not hold. */
export interface SystemSettings {
  region: string | null;
  collectorVersion: string;
  /** The runtime's name of the architecture: "x64", "arm64". */
  architecture: string;
}

/** Names and sizes of the host: what changes rarely, uptime apart. */
export function systemSource(files: Files, settings: SystemSettings): Source {
  let hardware: Hardware | null = null;
  const limitOf = cpuLimit(files);
  /** A Kubernetes pod is where the agent of a node runs, and the node has all cores. */
  const coresOf = (stat: string): number =>
    Math.ceil((hardware?.virtualization === 'kubernetes' ? null : limitOf(stat)) ?? countCores(stat));
  return {
    name: 'system',
    read: async (now: Moment) => {
      const release = readOsRelease(files);
      hardware ??= readHardware(files);
      const system: SystemPart = {
        hostname: files.text('proc/sys/kernel/hostname').trim(),
        platform: 'linux',
        ...shapeOs(release),
        kernel: files.text('proc/sys/kernel/osrelease').trim(),
        architecture: nameArchitecture(settings.architecture),
        cpu_model: hardware.cpu_model,
        cpu_cores: coresOf(files.text('proc/stat')),
        uptime_seconds: now.up,
        region: settings.region,
        collector_version: settings.collectorVersion,
        virtualization: hardware.virtualization,
      };
      return { part: { system } };
    },
  };
}

type Hardware = Pick<SystemPart, 'cpu_model' | 'virtualization'>;

/** Asked once a start: it stays while the machine runs, and of many cores the kernel tells at length. */
function readHardware(files: Files): Hardware {
  const cpuinfo = files.text('proc/cpuinfo');
  return { cpu_model: parseCpuModel(cpuinfo), virtualization: detectVirtualization(files, cpuinfo) };
}

/** Rolling distributions have no VERSION_ID. */
export function shapeOs(release: Map<string, string>): Pick<SystemPart, 'os_type' | 'os_name' | 'os_version'> {
  return {
    os_type: release.get('ID') || 'linux',
    os_name: release.get('PRETTY_NAME') || release.get('NAME') || 'Linux',
    os_version: release.get('VERSION_ID') || release.get('BUILD_ID') || '',
  };
}

export function nameArchitecture(runtimeName: string): string {
  return runtimeName === 'x64' ? 'amd64' : runtimeName;
}

/** Names differ: POWER and SPARC say `cpu`, LoongArch `Model Name`, RISC-V `uarch`. arm64 kernels do not name a model, and some virtual machines an empty one. */
export function parseCpuModel(cpuinfo: string): string | null {
  const match = /^(?:model name|Model Name|Model|cpu model|cpu|uarch)[ \t]*:[ \t]*(\S.*)$/m.exec(cpuinfo);
  return match?.[1]?.trim() ?? null;
}

/** Names of hypervisors in the DMI tables. The third is the product where the vendor builds machines too. */
const VENDORS: readonly (readonly [vendor: RegExp, name: string, product?: RegExp])[] = [
  [/vmware/i, 'vmware'],
  [/innotek|virtualbox/i, 'virtualbox'],
  [/microsoft/i, 'hyper-v', /virtual machine/i],
  [/xen/i, 'xen'],
  [/amazon ec2/i, 'amazon'],
  [/google/i, 'google', /compute engine/i],
  [/qemu|kvm|openstack|digitalocean|hetzner|kubevirt/i, 'kvm'],
  [/parallels/i, 'parallels'],
  [/apple virtualization/i, 'hypervisor'],
];
/** An EC2 instance without a hypervisor: "m7g.metal", "m7i.metal-24xl". */
const BARE_INSTANCE = /\.metal(?:-\w+)?$/;

/**
 * Returns the container's kind or the hypervisor's name, "hypervisor" when it hides its name, null on bare metal. A container
 * comes first: it can read the DMI tables of its host, which say nothing about itself. Processors of ARM have no flag.
 */
export function detectVirtualization(files: Files, cpuinfo: string): string | null {
  const enclosure = enclosureOf(files);
  if (enclosure !== null) return enclosure.kind;
  // Xen runs its first domain as well, which has the hardware.
  if (files.optional('sys/hypervisor/type')?.trim() === 'xen')
    return files.optional('proc/xen/capabilities')?.includes('control_d') === true ? null : 'xen';
  const [vendor = '', product = '', bios = ''] = ['sys_vendor', 'product_name', 'bios_vendor'].map(
    (name) => files.optional(`sys/class/dmi/id/${name}`)?.trim() ?? '',
  );
  if (BARE_INSTANCE.test(product)) return null;
  const virtual = /^flags\s*:.*\bhypervisor\b/m.test(cpuinfo);
  const known = VENDORS.find(
    ([pattern, , needed]) =>
      pattern.test(`${vendor} ${product} ${bios}`) && (virtual || needed === undefined || needed.test(product)),
  );
  return known?.[1] ?? firmwareHypervisor(files, cpuinfo) ?? (virtual ? 'hypervisor' : null);
}
