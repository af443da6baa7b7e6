import type { Disk } from '../runtime/disk.ts';

/** The collector's only secret, received at enrolment and kept in a file that only its user may read. */
export interface Credentials {
  server_id: string;
  agent_token: string;
}

const FILE = 'agent.json';

/** Null when this host is not enrolled. Throws when the file is there but cannot be used. */
export function readCredentials(disk: Disk): Credentials | null {
  if (!disk.list().includes(FILE)) return null;
  const parsed = parse(disk.read(FILE).toString('utf8'));
  if (!parsed) throw new Error(`${FILE} in the state directory is damaged. Remove it and enrol again: plimsoll enrol`);
  return parsed;
}

export function writeCredentials(disk: Disk, credentials: Credentials): void {
  const { server_id, agent_token } = credentials;
  disk.replace(FILE, `${JSON.stringify({ server_id, agent_token }, null, 2)}\n`);
}

/**
 * Throws when they could not be kept. To be called before enrolling: the answer makes the server forget the secret this
 * host reports with, so the new one must find its place.
 */
export function ensureWritable(disk: Disk): void {
  disk.replace(`${FILE}.trial`, '', false);
  disk.remove(`${FILE}.trial`);
}

export function removeCredentials(disk: Disk): void {
  disk.remove(FILE);
}

function parse(text: string): Credentials | null {
  try {
    const { server_id, agent_token } = JSON.parse(text) as Partial<Credentials>;
    if (typeof server_id !== 'string' || typeof agent_token !== 'string') return null;
    return server_id === '' || agent_token === '' ? null : { server_id, agent_token };
  } catch {
    return null;
  }
}
