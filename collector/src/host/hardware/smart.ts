import { errorText } from '@plimsoll/contract/rules/error-text';
import type { DrivePart } from '@plimsoll/contract/wire/hardware';
import type { Exec } from '../../runtime/exec.ts';
import type { Files } from '../../runtime/files.ts';
import type { Source } from '../../source.ts';
import { parseSmart } from './smart-report.ts';

/** The figures of a drive change within days, and asking it costs a child. */
const REFRESH_SECONDS = 3600;
/** Interval for a drive that slept or did not respond. */
const RETRY_SECONDS = 600;
/** Whole disks of SATA, SAS and USB, and the first namespace of each NVMe drive. Virtual disks (vda, xvda) have no SMART. */
const DRIVE = /^(?:sd[a-z]+|nvme\d+n1)$/;

interface Asked {
  /** Time of the next reading of the drive, seconds since boot. */
  dueUp: number;
  drive: DrivePart | null;
  /** Why there is no answer, or only an old one. */
  reason: string | null;
}

/**
 * Asks one drive in each reading, the one that waited longest, so that a reading starts at most one child. Drives keep their
 * figures with the time of the answer. Without `isAllowed` nothing is read.
 */
export function smartSource(files: Files, exec: Exec, isAllowed: boolean): Source {
  const asked = new Map<string, Asked>();
  return {
    name: 'smart',
    instant: true,
    read: async ({ ts, up }) => {
      if (!isAllowed) return { part: {} };
      const devices = files.list('sys/block').filter((name) => DRIVE.test(name));
      for (const known of asked.keys()) if (!devices.includes(known)) asked.delete(known);
      if (devices.length === 0) return { part: {} };
      const next = devices
        .filter((device) => (asked.get(device)?.dueUp ?? 0) <= up)
        .toSorted((a, b) => (asked.get(a)?.dueUp ?? -1) - (asked.get(b)?.dueUp ?? -1))[0];
      if (next !== undefined) asked.set(next, await ask(exec, next, asked.get(next)?.drive ?? null, ts, up));
      const states = [...asked].toSorted(([a], [b]) => devices.indexOf(a) - devices.indexOf(b));
      const drives = states.flatMap(([, { drive }]) => drive ?? []);
      const notes = states.flatMap(([device, { reason }]) => (reason === null ? [] : [`${device}: ${reason}`]));
      const waiting = devices.length - asked.size;
      if (waiting > 0) notes.push(`not asked yet: ${String(waiting)} of ${String(devices.length)} drives`);
      return { part: { drives }, ...(notes.length > 0 && { note: notes.join('; ') }) };
    },
  };
}

async function ask(exec: Exec, device: string, before: DrivePart | null, ts: number, up: number): Promise<Asked> {
  try {
    // Its code is a set of bits: 1 and 2 are failures to ask, the others findings. The text says which.
    const text = await exec('smartctl', ['--json=c', '-n', 'standby', '-i', '-H', '-A', `/dev/${device}`], () => true);
    const { drive, problem } = parseSmart(text, device, ts);
    if (drive === null) return { dueUp: up + RETRY_SECONDS, drive: before, reason: problem };
    return { dueUp: up + REFRESH_SECONDS, drive, reason: problem };
  } catch (error) {
    const reason = errorText(error);
    return { dueUp: up + RETRY_SECONDS, drive: before, reason };
  }
}
