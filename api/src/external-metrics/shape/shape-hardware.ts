import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { poolOf } from '@plimsoll/contract/rules/machines/filesystems';
import { isPowerAdapter } from '@plimsoll/contract/rules/machines/power';
import { criticalCelsius, plausibleCelsius } from '@plimsoll/contract/rules/machines/temperatures';
import { MOST } from '@plimsoll/contract/wire/number-bounds';
import type { DrivePart, FanPart, PoolPart, PowerPart, RaidPart, UpdatesPart } from '@plimsoll/contract/wire/hardware';
import type { FilesystemPart, Report, TemperaturePart } from '@plimsoll/contract/wire/report';
import { figureKey } from '../collect-readings.ts';
import type { Figures } from '../figures.ts';
import { smartDrives } from './shape-drives.ts';

type Hardware = Pick<Report, 'temperatures' | 'fans' | 'raid' | 'pools' | 'power' | 'updates' | 'drives' | 'oom_kills'>;

/** Returns the parts about the hardware that the agent sent figures of. A part without any is absent. */
export function shapeHardware(figures: Figures, filesystems: readonly FilesystemPart[]): Hardware {
  const oomKills = figures.grown('oom-kills')?.amount ?? 0;
  return {
    ...list('temperatures', [...sensorsOf(figures, 'temperature', shapeTemperature), ...zonesOf(figures)]),
    ...list('fans', sensorsOf(figures, 'fan', shapeFan)),
    ...list('raid', arraysOf(figures)),
    ...list('pools', [...zfsOf(figures, filesystems), ...btrfsOf(figures, filesystems)]),
    ...list('power', suppliesOf(figures)),
    ...list('drives', smartDrives(figures)),
    ...updatesOf(figures),
    ...(oomKills > 0 && oomKills <= MOST.int32 ? { oom_kills: Math.round(oomKills) } : {}),
  };
}

type Lists = {
  temperatures: TemperaturePart;
  fans: FanPart;
  raid: RaidPart;
  pools: PoolPart;
  power: PowerPart;
  drives: DrivePart;
};
const list = <K extends keyof Lists>(part: K, entries: readonly Lists[K][]): { [P in K]?: Lists[K][] } =>
  (entries.length === 0 ? {} : { [part]: entries.slice(0, REPORT_LIMITS[part]) }) as { [P in K]?: Lists[K][] };

/** Returns the distinct first labels of a figure, in the order of their numbers. */
const namesOf = (figures: Figures, ...wanted: readonly string[]): string[] =>
  [...new Set(wanted.flatMap((figure) => figures.labelsOf(figure).map(([name = '']) => name)))].toSorted(byNumber);
const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });
const isOn = (figures: Figures, key: string): boolean => figures.value(key) === 1;
const wholeOrNull = (value: number | null): number | null => (Number.isSafeInteger(value) ? value : null);

interface Sensor {
  chip: string;
  label: string;
  value: (what: string) => number | null;
}

function sensorsOf<T>(figures: Figures, figure: 'temperature' | 'fan', shape: (sensor: Sensor) => T | null): T[] {
  const nameOf = chipNames(figures);
  const labelled = new Map(
    figures.labelsOf('sensor-label').map(([chip = '', sensor = '', label = '']) => [`${chip}\t${sensor}`, label]),
  );
  const sensors = figures
    .labelsOf(figure)
    .filter(([, , what]) => what === 'now')
    .toSorted(([a = '', x = ''], [b = '', y = '']) => byNumber(a, b) || byNumber(x, y));
  const labelOf = (chip: string, sensor: string): string => labelled.get(`${chip}\t${sensor}`) || sensor;
  const shared = Map.groupBy(sensors, ([chip = '', sensor = '']) => `${chip}\t${labelOf(chip, sensor)}`);
  return sensors.flatMap(([chip = '', sensor = '']) => {
    const label = labelOf(chip, sensor);
    const isShared = (shared.get(`${chip}\t${label}`)?.length ?? 0) > 1;
    const value = (what: string): number | null => figures.value(figureKey(figure, chip, sensor, what));
    const shaped =
      value('fault') === 1
        ? null
        : shape({ chip: nameOf(chip), label: isShared ? `${label} (${sensor})` : label, value });
    return shaped === null ? [] : [shaped];
  });
}

/** Two processors or drives of a kind share the driver's name: the name that node_exporter made of the device tells them apart. */
function chipNames(figures: Figures): (chip: string) => string {
  const drivers = new Map(figures.labelsOf('chip-name').map(([chip = '', name = '']) => [chip, name]));
  const chips = Map.groupBy(drivers, ([, name]) => name);
  return (chip) => {
    const name = drivers.get(chip) || chip;
    return (chips.get(name)?.length ?? 0) > 1 ? `${name} (${chip})` : name;
  };
}

function shapeTemperature({ chip, label, value }: Sensor): TemperaturePart | null {
  const celsius = plausibleCelsius(value('now'));
  return celsius === null ? null : { chip, label, celsius, critical_celsius: criticalCelsius(value('critical')) };
}

/** A driver reports 65,535 or more of a fan that is not connected. */
const MOST_RPM = 60_000;
function shapeFan({ chip, label, value }: Sensor): FanPart | null {
  const [rpm, alarm] = [value('now'), value('alarm')];
  return rpm === null || rpm > MOST_RPM ? null : { chip, label, rpm, alarm: alarm === null ? null : alarm === 1 };
}

/** Zones without a driver of hwmon: boards with ARM processors have nothing else. INT3400 is a policy without a sensor. */
function zonesOf(figures: Figures): TemperaturePart[] {
  const chips = new Set(figures.labelsOf('chip-name').map(([, name = '']) => name.replaceAll('_', '-')));
  if (chips.has('coretemp')) chips.add('x86-pkg-temp');
  return figures.labelsOf('thermal-zone').flatMap(([zone = '', type = '']): TemperaturePart[] => {
    const celsius = plausibleCelsius(figures.value(figureKey('thermal-zone', zone, type)));
    if (celsius === null || type.startsWith('INT3400') || chips.has(type.replaceAll('_', '-'))) return [];
    return [{ chip: type, label: `zone ${zone}`, celsius, critical_celsius: null }];
  });
}

/** States of node_md_state in which disks work on something, and the kernel's word for it. */
const ACTIONS = { recovering: 'recovery', resync: 'resync', check: 'check' } as const;

/** Metadata of IMSM (5 MB a disk) and DDF (32 MB): its container is always inactive and no array itself. */
const MOST_METADATA_BLOCKS = 256 * 1024;

function arraysOf(figures: Figures): RaidPart[] {
  return namesOf(figures, 'raid').flatMap((name): RaidPart[] => {
    const value = (what: string): number | null => figures.value(figureKey('raid', name, what));
    const isIn = (state: string): boolean => isOn(figures, figureKey('raid-state', name, state));
    const [required, active, failed] = [value('required'), value('active'), value('failed')];
    const [blocks, synced] = [value('blocks'), value('synced')];
    const action = Object.entries(ACTIONS).find(([state]) => isIn(state))?.[1] ?? null;
    if (isIn('inactive') && !required && !failed && (blocks ?? Infinity) < MOST_METADATA_BLOCKS) return [];
    const lacks = required !== null && active !== null && active < required;
    return [
      {
        name,
        // node_exporter does not send it, so that an array that lost its data is called degraded.
        level: 'unknown',
        state: isIn('inactive') ? 'inactive' : lacks ? (action === 'recovery' ? 'rebuilding' : 'degraded') : 'clean',
        size_bytes: blocks === null ? null : wholeOrNull(blocks * 1024),
        disks_required: wholeOrNull(required),
        disks_active: wholeOrNull(active),
        spares: wholeOrNull(value('spare')) ?? 0,
        failed_disks: failed === null || failed === 0 ? null : `${String(failed)} of its disks`,
        action,
        action_percent: action === null || !blocks || synced === null ? null : Math.min(100, (synced / blocks) * 100),
        action_seconds_left: null,
        mismatches: null,
      },
    ];
  });
}

const UNKNOWN_DEVICES = { devices: null, devices_missing: null, errors: null, errors_at: null } as const;
const sizesOf = (one: FilesystemPart | undefined): Pick<PoolPart, 'size_bytes' | 'used_bytes'> => ({
  size_bytes: one?.size_bytes ?? null,
  used_bytes: one?.used_bytes ?? null,
});

function zfsOf(figures: Figures, filesystems: readonly FilesystemPart[]): PoolPart[] {
  const states = figures.labelsOf('pool-state').filter((labels) => isOn(figures, figureKey('pool-state', ...labels)));
  return states
    .toSorted(([a = ''], [b = '']) => byNumber(a, b))
    .map(([name = '', state = '']) => {
      const whole = filesystems.find(
        ({ type, device, part_of: above }) => type === 'zfs' && above === undefined && poolOf(device) === name,
      );
      return { name, type: 'zfs', state, ...sizesOf(whole), ...UNKNOWN_DEVICES };
    });
}

function btrfsOf(figures: Figures, filesystems: readonly FilesystemPart[]): PoolPart[] {
  const devices = figures.labelsOf('btrfs-device');
  const errors = figures.labelsOf('btrfs-errors');
  return figures.labelsOf('btrfs').map(([uuid = '', label = '']) => {
    const own = devices.filter(([of]) => of === uuid).map(([, device = '']) => device);
    const counted = errors
      .filter(([of]) => of === uuid)
      .map(([, device = '', type = '']) => {
        const count = figures.value(figureKey('btrfs-errors', uuid, device, type)) ?? 0;
        return { device, type, count };
      });
    const faulty = counted.filter(({ count }) => count > 0).toSorted((a, b) => byNumber(a.device, b.device));
    const mounted = filesystems.find(
      ({ type, device }) => type === 'btrfs' && own.includes(device.replace(/^\/dev\//, '')),
    );
    return {
      name: label || mounted?.mount || uuid,
      type: 'btrfs',
      // It does not send which devices are missing, so the filesystem may be degraded.
      state: null,
      ...sizesOf(mounted),
      devices: own.length || null,
      devices_missing: null,
      errors: counted.length === 0 ? null : wholeOrNull(counted.reduce((sum, { count }) => sum + count, 0)),
      errors_at:
        faulty.length === 0
          ? null
          : faulty.map(({ device, type, count }) => `${device}: ${String(count)} ${type}`).join(', '),
    };
  });
}

function suppliesOf(figures: Figures): PowerPart[] {
  const infos = figures.labelsOf('supply-info');
  const of = (name: string, what: string): number | null => figures.value(figureKey('supply', name, what));
  const isAtMains = infos.some(([name = '', type = '']) => isPowerAdapter(type) && (of(name, 'online') ?? 0) > 0);
  return infos.flatMap(([name = '', type = '', status = '', maker = '', model = '', scope = '']): PowerPart[] => {
    const value = (what: string): number | null => of(name, what);
    // A mouse or a headset has a battery of its own, with the scope "Device".
    if ((type !== 'Battery' && type !== 'UPS') || scope === 'Device' || value('present') === 0) return [];
    const known = status === '' || status === 'Unknown' ? null : status;
    return [
      {
        name,
        kind: type === 'UPS' ? 'ups' : 'battery',
        model: [maker, model].filter((part) => part !== '').join(' ') || null,
        state: (known ?? 'unknown').toLowerCase(),
        // A battery also discharges at the mains: at a weak adapter, or down to a threshold that its owner set.
        on_battery: known === null ? null : known === 'Discharging' && (type === 'UPS' || !isAtMains),
        charge_percent: value('charge'),
        seconds_left: known === 'Discharging' ? value('seconds-left') : null,
        health_percent:
          shareOf(value('full'), value('full-design')) ?? shareOf(value('charge-full'), value('charge-full-design')),
        load_percent: null,
        read_at: null,
      },
    ];
  });
}
/** A new battery may hold more than its design says. */
const shareOf = (part: number | null, whole: number | null): number | null =>
  part === null || whole === null || whole === 0 ? null : Math.min(100, (part / whole) * 100);

/** "Ubuntu:22.04/jammy-updates,Ubuntu:22.04/jammy-security", "Debian-Security:12/stable-security". */
const isSecurity = (origin: string): boolean => /security/i.test(origin);

function updatesOf(figures: Figures): { updates?: UpdatesPart } {
  const counts = figures.labelsOf('updates').map((labels) => ({
    program: labels[0] ?? '',
    origin: labels[1] ?? '',
    count: figures.value(figureKey('updates', ...labels)) ?? 0,
  }));
  const reboot = figures.value('reboot-required');
  if (counts.length === 0 && reboot === null) return {};
  const sumOf = (wanted: typeof counts): number => wanted.reduce((sum, { count }) => sum + count, 0);
  return {
    updates: {
      pending: counts.length === 0 ? null : sumOf(counts),
      // yum.sh names repositories, which say nothing of security.
      security: counts.some(({ program }) => program === 'apt')
        ? sumOf(counts.filter(({ origin }) => isSecurity(origin)))
        : null,
      counted_by: counts[0]?.program ?? null,
      checked_at: figures.value('updates-checked-at'),
      reboot_required: reboot === null ? null : reboot === 1,
      reboot_reason: null,
    },
  };
}
