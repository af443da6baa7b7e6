import type { PoolPart, UpdatesPart } from '@plimsoll/contract/wire/hardware';
import type { Hardware, ServerDetail } from '@plimsoll/contract/wire/servers';
import { numberText, plural } from '../../../format/figures.ts';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import {
  actionText,
  driveTroubles,
  fanTroubles,
  gpuFacts,
  gpuProcesses,
  gpuTroubles,
  poolTroubles,
  powerFacts,
  powerTroubles,
  raidTroubles,
  type Trouble,
} from './hardware-words.ts';

/** A kind of hardware in one line. */
export interface Line {
  name: string;
  /** Null: not available, for `reason`. */
  value: string | null;
  reason: string | null;
  /** In a line below. */
  more: string | null;
  /** Epoch seconds of the figure; null: of the last report. */
  at: number | null;
  /** Before the age: "checked". */
  verb: string;
}

export interface HardwareState {
  /** The worst first. */
  troubles: Trouble[];
  lines: Line[];
}

const LEVELS = ['critical', 'warning'] as const;
const line = (name: string, value: string | null, more: Partial<Line> = {}): Line => ({
  name,
  value,
  reason: null,
  more: null,
  at: null,
  verb: '',
  ...more,
});

/** Returns what is known of the hardware of a server: what needs a person, then one line for each kind that is well. */
export function hardwareState(server: ServerDetail): HardwareState {
  const { hardware } = server;
  if (hardware === undefined) return { troubles: [], lines: [] };
  const { raid, pools, drives, gpus, fans, power, updates } = hardware;
  const troubles = [
    ...raidTroubles(raid ?? []),
    ...poolTroubles(pools ?? []),
    ...driveTroubles(drives ?? []),
    ...gpuTroubles(gpus ?? []),
    ...powerTroubles(power ?? []),
    ...fanTroubles(fans ?? []),
    ...updateTroubles(updates),
  ].toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  return {
    troubles,
    lines: [
      ...raidLines(hardware),
      ...poolLines(hardware),
      ...driveLines(server, hardware),
      ...gpuLines(server, hardware),
      ...fanLines(hardware),
      ...powerLines(hardware),
      ...updateLines(server, updates),
    ],
  };
}

function updateTroubles(updates: UpdatesPart | null): Trouble[] {
  const troubles: Trouble[] = [];
  const { reboot_required: reboot, reboot_reason: reason, security, pending, checked_at: at } = updates ?? {};
  if (reboot === true)
    troubles.push({
      level: 'warning',
      message: 'Reboot needed',
      facts: reason == null ? [] : [escapeInvisible(reason)],
      at: null,
    });
  if (security != null && security > 0)
    troubles.push({
      level: 'warning',
      message: `${plural(security, 'security update')} pending`,
      facts: pending == null ? [] : [`${plural(pending, 'update')} in all`],
      at: at ?? null,
    });
  return troubles;
}

function raidLines({ raid }: Hardware): Line[] {
  const clean = raid?.filter(({ state }) => state === 'clean') ?? [];
  if (clean.length === 0) return [];
  const actions = clean.flatMap((array) => {
    const action = actionText(array);
    return action === null ? [] : [`${escapeInvisible(array.name)}: ${action}`];
  });
  return [line('RAID', `${plural(clean.length, 'array')} clean`, { more: actions.join('; ') || null })];
}

function poolLines({ pools }: Hardware): Line[] {
  const well = pools?.filter(({ state, errors }) => (state ?? 'online') === 'online' && (errors ?? 0) === 0) ?? [];
  const unknown = well.filter(({ state }) => state === null);
  return [...onlineLines(well.filter(({ state }) => state !== null)), ...unknownLines(unknown)];
}

/** The agent does not say whether a device is missing. */
const unknownLines = (pools: readonly PoolPart[]): Line[] =>
  pools.length === 0
    ? []
    : [line('Pools', null, { reason: UNKNOWN_STATE, more: pools.map(({ name }) => escapeInvisible(name)).join(', ') })];
const UNKNOWN_STATE = 'the agent does not say whether a device is missing';

function onlineLines(online: readonly PoolPart[]): Line[] {
  if (online.length === 0) return [];
  const shares = online.flatMap(({ name, size_bytes: size, used_bytes: used }) =>
    size === null || used === null || size === 0 ? [] : [{ name, percent: (used / size) * 100 }],
  );
  const [fullest] = shares.toSorted((a, b) => b.percent - a.percent);
  const more =
    fullest === undefined
      ? null
      : `${online.length > 1 ? `fullest: ${escapeInvisible(fullest.name)}, ` : ''}${numberText(fullest.percent) ?? ''} % used`;
  return [line('Pools', `${plural(online.length, 'pool')} online`, { more })];
}

/** Returns why a source gave nothing; null: it found nothing to read. */
const reasonOf = ({ sources }: ServerDetail, name: string): string | null => {
  const error = sources[name]?.error;
  return error == null ? null : escapeInvisible(error);
};

function driveLines(server: ServerDetail, { drives }: Hardware): Line[] {
  const why = reasonOf(server, 'smart');
  if (drives === null || drives.length === 0) {
    if (why !== null) return [line('Drives', null, { reason: why })];
    // The disks of a virtual machine have no health of their own.
    const hasDrives = server.disks.some(({ device }) => /^(?:sd|nvme)/.test(device));
    const isReal = server.virtualization == null && server.sources['smart'] !== undefined;
    return hasDrives && isReal ? [line('Drives', null, { reason: 'needs --with-smart' })] : [];
  }
  const troubled = driveTroubles(drives).length;
  const well = drives.length - troubled;
  if (well === 0) return [];
  const hottest = Math.max(...drives.map(({ celsius }) => celsius ?? -Infinity));
  const worn = Math.max(...drives.map(({ wear_percent: wear }) => wear ?? -Infinity));
  const facts = [
    ...(Number.isFinite(hottest) ? [`hottest ${numberText(hottest) ?? ''} °C`] : []),
    ...(Number.isFinite(worn) ? [`most worn ${numberText(worn) ?? ''} %`] : []),
    ...(why === null ? [] : [why]),
  ];
  const errors = drives.reduce((sum, { uncorrectable }) => sum + (uncorrectable ?? 0), 0);
  if (errors > 0) facts.push(plural(errors, 'uncorrected error'));
  const times = drives.flatMap(({ read_at: at }) => at ?? []);
  const at = times.length === 0 ? null : Math.min(...times);
  return [line('Drives', `${plural(well, 'drive')} healthy`, { more: facts.join(', ') || null, at, verb: 'read' })];
}

/** GPUs with a line of their own; more of them share one. */
const MOST_GPUS = 4;

function gpuLines(server: ServerDetail, { gpus }: Hardware): Line[] {
  if (gpus === null || gpus.length === 0) return [];
  const reason = reasonOf(server, 'gpu') ?? 'the driver reports no figures';
  if (gpus.length > MOST_GPUS) {
    const uses = gpus.flatMap(({ use_percent: use }) => use ?? []);
    const mean = uses.length === 0 ? null : uses.reduce((sum, use) => sum + use, 0) / uses.length;
    const hottest = Math.max(...gpus.map(({ celsius }) => celsius ?? -Infinity));
    const value = mean === null ? null : `${numberText(mean) ?? ''} % used on average`;
    const more = `${plural(gpus.length, 'GPU')}${Number.isFinite(hottest) ? `, hottest ${numberText(hottest) ?? ''} °C` : ''}`;
    return [line('GPUs', value, { reason, more })];
  }
  return gpus.map((gpu, index) =>
    line(gpus.length === 1 ? 'GPU' : `GPU ${index + 1}`, gpuFacts(gpu).join(', ') || null, {
      reason,
      more: [escapeInvisible(gpu.name ?? gpu.id), ...gpuProcesses(gpu)].join(', '),
    }),
  );
}

function fanLines({ fans }: Hardware): Line[] {
  const turning = fans?.filter(({ alarm, rpm }) => alarm !== true && rpm > 0).map(({ rpm }) => rpm) ?? [];
  if (turning.length === 0) return [];
  const [least, most] = [Math.min(...turning), Math.max(...turning)];
  const speeds = least === most ? numberText(least) : `${numberText(least) ?? ''}–${numberText(most) ?? ''}`;
  return [line('Fans', `${plural(turning.length, 'fan')}, ${speeds ?? ''} rpm`)];
}

function powerLines({ power }: Hardware): Line[] {
  const kinds = [
    { kind: 'battery', name: 'Battery' },
    { kind: 'ups', name: 'UPS' },
  ];
  return kinds.flatMap(({ kind, name }) => {
    const ofKind = (power ?? []).filter((one) => one.kind === kind && powerTroubles([one]).length === 0);
    return ofKind.map((one, index) => {
      const more = one.model === null ? null : escapeInvisible(one.model);
      const value = [escapeInvisible(one.state), ...powerFacts(one)].join(', ');
      return line(ofKind.length === 1 ? name : `${name} ${index + 1}`, value, { more, at: one.read_at, verb: 'read' });
    });
  });
}

function updateLines(server: ServerDetail, updates: UpdatesPart | null): Line[] {
  if (updates === null) {
    const isRead = server.sources['updates'] !== undefined;
    return isRead
      ? [line('Updates', null, { reason: reasonOf(server, 'updates') ?? 'this system keeps no count' })]
      : [];
  }
  const { pending, security, checked_at: at, reboot_required: reboot } = updates;
  const more = reboot === false ? 'no reboot needed' : null;
  if (pending === null)
    return [line('Updates', null, { reason: 'this system keeps no count', more, at, verb: 'lists fetched' })];
  // Security updates stand above.
  if ((security ?? 0) > 0) return more === null ? [] : [line('Reboot', 'not needed')];
  return [
    line('Updates', pending === 0 ? 'none pending' : `${plural(pending, 'update')} pending`, {
      more,
      at,
      verb: 'checked',
    }),
  ];
}
