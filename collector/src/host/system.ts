import type { SystemPart } from '@plimsoll/contract/wire/report';
import type { Files } from '../runtime/files.ts';
import type { Moment, Source } from '../source.ts';

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
  return {
    name: 'system',
    read: async (now: Moment) => {
      const release = parseOsRelease(files.optional('etc/os-release') ?? files.optional('usr/lib/os-release') ?? '');
      hardware ??= readHardware(files);
      const system: SystemPart = {
        hostname: files.text('proc/sys/kernel/hostname').trim(),
        platform: 'linux',
        ...shapeOs(release),
        kernel: files.text('proc/sys/kernel/osrelease').trim(),
        architecture: nameArchitecture(settings.architecture),
        cpu_model: hardware.cpu_model,
        cpu_cores: countCores(files.text('proc/stat')),
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

/** os-release(5): shell-like assignments. */
export function parseOsRelease(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split('\n')) {
    const match = /^([A-Z0-9_]+)=(["']?)(.*)\2\s*$/.exec(line);
    if (match?.[1] !== undefined) values.set(match[1], (match[3] ?? '').replace(/\\(.)/g, '$1'));
  }
  return values;
}

/** Rolling distributions have no VERSION_ID. */
export function shapeOs(release: Map<string, string>): Pick<SystemPart, 'os_type' | 'os_name' | 'os_version'> {
  return {
    os_type: release.get('ID') ?? 'linux',
    os_name: release.get('PRETTY_NAME') ?? release.get('NAME') ?? 'Linux',
    os_version: release.get('VERSION_ID') ?? release.get('BUILD_ID') ?? '',
  };
}

export function nameArchitecture(runtimeName: string): string {
  return runtimeName === 'x64' ? 'amd64' : runtimeName;
}

/** arm64 kernels do not name a model. */
export function parseCpuModel(cpuinfo: string): string | null {
  const match = /^(?:model name|Model|cpu model)\s*:\s*(.+)$/m.exec(cpuinfo);
  return match?.[1]?.trim() ?? null;
}

/** Cores that are online. */
export const countCores = (stat: string): number => stat.match(/^cpu\d+ /gm)?.length ?? 0;

const VENDORS: readonly (readonly [RegExp, string])[] = [
  [/vmware/i, 'vmware'],
  [/innotek|virtualbox/i, 'virtualbox'],
  [/microsoft/i, 'hyper-v'],
  [/xen/i, 'xen'],
  [/amazon ec2/i, 'amazon'],
  [/google/i, 'google'],
  [/qemu|kvm|openstack|digitalocean|hetzner/i, 'kvm'],
  [/parallels/i, 'parallels'],
];

/** "container", the hypervisor's name, "hypervisor" when it hides its name, null on bare metal. */
export function detectVirtualization(files: Files, cpuinfo: string): string | null {
  if (files.stat('.dockerenv') !== null || files.optional('run/.containerenv') !== null) return 'container';
  const vendor = ['sys_vendor', 'product_name', 'bios_vendor']
    .map((name) => files.optional(`sys/class/dmi/id/${name}`) ?? '')
    .join(' ');
  const virtual = /^flags\s*:.*\bhypervisor\b/m.test(cpuinfo);
  const known = VENDORS.find(([pattern]) => pattern.test(vendor));
  if (known && (virtual || known[1] !== 'google')) return known[1];
  return virtual ? 'hypervisor' : null;
}
