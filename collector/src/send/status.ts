import type { AgentPart } from '@plimsoll/contract/wire/report';
import type { Disk } from '../runtime/disk.ts';

/** State that the running collector writes for `plimsoll status` and `plimsoll check`; holds no secret. */
export interface Status {
  version: string;
  pid: number;
  server_id: string;
  interval_seconds: number;
  /** Epoch seconds. */
  started_at: number;
  collected_at: number | null;
  accepted_at: number | null;
  pending: number;
  spool_bytes: number;
  retries: number;
  last_error: string | null;
  /** The server drops every report since then. Absent in the file of an older collector. */
  refused?: { since: number; reason: string } | null;
  /** Since then the server rejects the token as unknown; epoch seconds. Absent in the file of an older collector. */
  token_refused_since?: number | null;
  /** Names of other servers with the machine id of this host. Absent in the file of an older collector. */
  shares_machine_id_with?: readonly string[];
  clock_skew_seconds: number | null;
  sources: AgentPart['sources'];
}

const FILE = 'status.json';

export function writeStatus(disk: Disk, status: Status): void {
  // Written anew at each collection: what a power cut takes with it is out of date anyway.
  disk.replace(FILE, `${JSON.stringify(status, null, 2)}\n`, false);
}

/** Null when no collector has written one, or it cannot be read. */
export function readStatus(disk: Disk): Status | null {
  try {
    const parsed = JSON.parse(disk.read(FILE).toString('utf8')) as Partial<Status>;
    return typeof parsed.pid === 'number' && typeof parsed.sources === 'object' ? (parsed as Status) : null;
  } catch {
    return null;
  }
}
