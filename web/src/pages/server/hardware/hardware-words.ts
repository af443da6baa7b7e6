import type { DrivePart, FanPart, GpuPart, PoolPart, PowerPart, RaidPart } from '@plimsoll/contract/wire/hardware';
import { bytesQuantity, numberText, plural } from '../../../format/figures.ts';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { ageText } from '../../../time/age.ts';

/** Something that needs a person. */
export interface Trouble {
  level: 'critical' | 'warning';
  /** "md1 is degraded". */
  message: string;
  /** Further facts, one part each. */
  facts: string[];
  /** Epoch seconds of the figure; null: of the last report. */
  at: number | null;
}

const known = (...parts: (string | null)[]): string[] => parts.filter((part) => part !== null);
const named = (text: string | null): string | null => (text === null ? null : escapeInvisible(text));
const figure = (value: number | null, unit: string, digits = 0): string | null =>
  value === null ? null : `${numberText(value, digits) ?? ''} ${unit}`;
const ofSizes = (used: number | null, size: number | null): string | null => {
  if (used === null || size === null) return null;
  const [a, b] = [bytesQuantity(used), bytesQuantity(size)];
  return a.unit === b.unit ? `${a.value} of ${b.value} ${b.unit}` : `${a.value} ${a.unit} of ${b.value} ${b.unit}`;
};

/** "check 2 %, 1 h left". */
export function actionText({ action, action_percent: percent, action_seconds_left: left }: RaidPart): string | null {
  if (action === null) return null;
  if (percent === null) return `${escapeInvisible(action)} waits`;
  return known(
    `${escapeInvisible(action)} ${numberText(percent, percent < 10 ? 1 : 0) ?? ''} %`,
    left === null ? null : `${ageText(left)} left`,
  ).join(', ');
}

export function raidTroubles(arrays: readonly RaidPart[]): Trouble[] {
  return arrays.flatMap((array): Trouble[] => {
    const { name, level, state, disks_required: required, disks_active: active, failed_disks: failed } = array;
    if (state === 'clean') return [];
    return [
      {
        level: state === 'rebuilding' ? 'warning' : 'critical',
        message: `${escapeInvisible(name)} is ${escapeInvisible(state)}`,
        facts: known(
          level === 'unknown' ? null : escapeInvisible(level.toUpperCase().replace(/^RAID/, 'RAID ')),
          required === null || active === null ? null : `${active} of ${plural(required, 'disk')}`,
          failed === null ? null : `failed: ${escapeInvisible(failed)}`,
          actionText(array),
        ),
        at: null,
      },
    ];
  });
}

/** "1 of 4 devices missing"; without the whole while it is not known. */
function missingText(missing: number | null, devices: number | null): string | null {
  if (missing === null || missing === 0) return null;
  return devices === null
    ? `${plural(missing, 'device')} missing`
    : `${numberText(missing) ?? ''} of ${plural(devices, 'device')} missing`;
}

export function poolTroubles(pools: readonly PoolPart[]): Trouble[] {
  return pools.flatMap((pool): Trouble[] => {
    const { name, type, state, errors, errors_at: errorsAt, devices, devices_missing: missing } = pool;
    const isSick = state !== null && state !== 'online';
    if (!isSick && (errors ?? 0) === 0) return [];
    return [
      {
        level: isSick ? 'critical' : 'warning',
        message: isSick
          ? `${escapeInvisible(name)} is ${escapeInvisible(state)}`
          : `${escapeInvisible(name)} has ${plural(errors ?? 0, 'device error')}`,
        facts: known(
          type === 'zfs' ? 'ZFS pool' : escapeInvisible(type),
          missingText(missing, devices),
          named(errorsAt),
          ofSizes(pool.used_bytes, pool.size_bytes),
        ),
        at: null,
      },
    ];
  });
}

/**
 * A sector that waits for its replacement could not be read. Errors that were not corrected are counted for ever, so they alone
 * are no trouble of today.
 */
export function driveTroubles(drives: readonly DrivePart[]): Trouble[] {
  return drives.flatMap((drive): Trouble[] => {
    const { device, model, passed, reason, celsius, pending, read_at: at } = drive;
    if (passed !== false && (pending ?? 0) === 0) return [];
    return [
      {
        level: passed === false ? 'critical' : 'warning',
        message:
          passed === false
            ? `${escapeInvisible(device)} expects to fail`
            : `${escapeInvisible(device)} has ${plural(pending ?? 0, 'unreadable sector')}`,
        facts: known(named(model), named(reason), figure(celsius, '°C')),
        at,
      },
    ];
  });
}

export const fanTroubles = (fans: readonly FanPart[]): Trouble[] =>
  fans
    .filter(({ alarm }) => alarm === true)
    .map(({ chip, label, rpm }) => ({
      level: 'warning',
      message: `${escapeInvisible(label)} is too slow`,
      facts: [`${numberText(rpm) ?? ''} rpm`, escapeInvisible(chip)],
      at: null,
    }));

/** Charge of a UPS below which little time is left, in per cent. */
const LOW_CHARGE = 25;

/** A laptop on its battery is no trouble; a UPS that feeds the machine is. */
export const powerTroubles = (power: readonly PowerPart[]): Trouble[] =>
  power
    .filter(({ kind, on_battery: onBattery }) => kind === 'ups' && onBattery === true)
    .map((one): Trouble => ({
      level: (one.charge_percent ?? 100) < LOW_CHARGE ? 'critical' : 'warning',
      message: `${escapeInvisible(one.name)} runs on battery`,
      facts: powerFacts(one),
      at: one.read_at,
    }))
    .concat(power.flatMap(weakUnit));

/** Words of a UPS that needs a person although the mains feed it, and the sentence for each. */
const WEAK: readonly (readonly [word: string, sentence: string])[] = [
  ['replace battery', 'needs a new battery'],
  ['overloaded', 'carries too much load'],
  ['not connected', 'does not respond to its driver'],
  ['bypass', 'feeds the machine past its battery'],
];
function weakUnit(one: PowerPart): Trouble[] {
  if (one.kind !== 'ups' || one.on_battery === true) return [];
  const words = one.state.split(', ');
  const found = WEAK.find(([word]) => words.includes(word));
  if (found === undefined) return [];
  return [
    { level: 'warning', message: `${escapeInvisible(one.name)} ${found[1]}`, facts: powerFacts(one), at: one.read_at },
  ];
}

export const powerFacts = (one: PowerPart): string[] =>
  known(
    figure(one.charge_percent, '%'),
    one.seconds_left === null ? null : `${ageText(one.seconds_left)} left`,
    one.load_percent === null ? null : `load ${numberText(one.load_percent) ?? ''} %`,
    one.health_percent === null ? null : `holds ${numberText(one.health_percent) ?? ''} % of its capacity`,
  );

/** Default line of `gpu_temperature`. */
const HOT_CELSIUS = 90;

export const gpuTroubles = (gpus: readonly GpuPart[]): Trouble[] =>
  gpus
    .filter(({ celsius }) => celsius !== null && celsius >= HOT_CELSIUS)
    .map((gpu) => ({
      level: 'warning',
      message: `${escapeInvisible(gpu.name ?? 'GPU')} is at ${numberText(gpu.celsius) ?? ''} °C`,
      facts: [escapeInvisible(gpu.id), ...gpuFacts({ ...gpu, celsius: null })],
      at: null,
    }));

export const gpuFacts = (gpu: GpuPart): string[] =>
  known(
    figure(gpu.use_percent, '%'),
    ofSizes(gpu.memory_used_bytes, gpu.memory_total_bytes),
    figure(gpu.celsius, '°C'),
    figure(gpu.power_watts, 'W'),
  );

const MOST_NAMED_PROCESSES = 3;

/** Returns the largest processes of a GPU: "python3 (4711) 2 GB". */
export function gpuProcesses({ processes = [] }: GpuPart): string[] {
  const named = processes.slice(0, MOST_NAMED_PROCESSES).map(({ pid, name, memory_bytes: memory }) => {
    const size = memory === null ? null : bytesQuantity(memory);
    return `${escapeInvisible(name)} (${String(pid)})${size === null ? '' : ` ${size.value} ${size.unit}`}`;
  });
  const others = processes.length - named.length;
  return others > 0 ? [...named, plural(others, 'other process', 'other processes')] : named;
}
