import type { Exec } from '../../runtime/exec.ts';
import type { Source, Taken } from '../../source.ts';
import type { Files } from '../../runtime/files.ts';

/** A clock drifts within hours; the question costs a child. */
const REFRESH_SECONDS = 600;

/**
 * Whether the kernel's clock follows a time source, whichever program keeps it: systemd returns the flag of adjtimex, which
 * chrony, ntpd and timesyncd set.
 */
export function clockSource(files: Files, exec: Exec): Source {
  let last: { up: number; taken: Taken } | null = null;
  return {
    name: 'clock',
    instant: true,
    read: async ({ up }) => {
      if (last !== null && up - last.up < REFRESH_SECONDS) return last.taken;
      last = { up, taken: await readFlag(files, exec) };
      return last.taken;
    },
  };
}

async function readFlag(files: Files, exec: Exec): Promise<Taken> {
  if (files.stat('run/systemd/system') === null) return { part: {}, note: 'systemd does not run here' };
  try {
    const text = await exec('timedatectl', ['show', '-p', 'NTPSynchronized', '--value']);
    const flag = FLAGS[text.trim()];
    return flag === undefined
      ? { part: {}, note: 'timedatectl does not say whether the clock is synchronised (needs systemd 239)' }
      : { part: { clock_synchronized: flag } };
  } catch (error) {
    return { part: {}, note: error instanceof Error ? error.message : String(error) };
  }
}
const FLAGS: Readonly<Record<string, boolean>> = { yes: true, no: false };
