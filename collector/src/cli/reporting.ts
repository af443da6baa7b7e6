import { type AgentOptions, runAgent } from '../agent.ts';
import { type HostParts, spoolDisk, stateDisk } from '../host-agent.ts';
import { randomHex128 } from '../runtime/machine-identity.ts';
import { orNull } from '../runtime/or-null.ts';
import type { LogFields } from '../runtime/log.ts';
import { type ByeReason, sayBye } from '../send/bye.ts';
import { type Credentials, readCredentials, writeCredentials } from '../send/credentials.ts';
import type { Api } from '../send/http.ts';
import { Sender } from '../send/sender.ts';
import { Spool } from '../send/spool.ts';
import type { Settings } from '../settings.ts';
import type { Source } from '../source.ts';
import type { CheckRunner } from '../checks/check-runner.ts';
import { VERSION } from '../version.ts';
import { EXIT } from './exit.ts';
import { TOKEN_REFUSED } from './health.ts';

export interface Enrolled {
  credentials: Credentials;
  intervalSeconds: number;
}
/** In what the host's collector and the node's differ. */
export interface Reporter {
  settings: Settings;
  parts: HostParts;
  api: Api;
  enrolled: Enrolled;
  sources: readonly Source[];
  /** Runs what the dashboard requests to check. Null: the owner of this host did not opt in. */
  checks: CheckRunner | null;
  /** See SenderOptions. */
  enrolAsClone: () => Promise<Credentials | null>;
  /** Told in the first line of the log, beside the server's id and address. */
  about: LogFields;
  /** Writes down how it goes, for the commands and probes that ask. */
  keeper: (sender: Sender, spool: Spool) => Pick<AgentOptions, 'onCollected' | 'onSent'>;
  byeReason: () => ByeReason;
}

/** Collects and sends until the signal aborts or the server is deleted; gives the exit status. */
export async function reportUntilStopped(reporter: Reporter, signal: AbortSignal): Promise<number> {
  const { settings, parts, api } = reporter;
  const { clock, log, bootId, milliseconds } = parts;
  const spool = new Spool({
    disk: spoolDisk(settings),
    newStream: randomHex128,
    onDiskState: (ok, reason) =>
      ok ? log('info', 'reports are kept on disk again') : log('error', 'reports are kept in memory only', { reason }),
  });
  const sender = senderOf(reporter, spool);
  const { url } = settings;
  log('info', 'reporting', { server_id: sender.serverId, url, pending: spool.entries.length, ...reporter.about });
  const keeper = reporter.keeper(sender, spool);
  const { checks } = reporter;
  const sources = checks === null ? reporter.sources : [...reporter.sources, checks.source];
  const options = { ...keeper, sources, spool, sender, clock, log, bootId, version: VERSION, milliseconds };
  const ended = new AbortController();
  const checking = checks?.run(() => sender.token, AbortSignal.any([signal, ended.signal]));
  const ending = await runAgent(options, signal);
  ended.abort();
  await checking;
  if (ending === 'gone') return EXIT.enrolmentDead;
  await sayBye(api, sender, reporter.byeReason());
  const pending = spool.entries.length;
  if (sender.tokenRefusedSince !== null) {
    log('error', `stopped; ${TOKEN_REFUSED}. Enrol again: plimsoll enrol --token TOKEN`, { pending });
    return EXIT.enrolmentDead;
  }
  log('info', 'stopped', { pending });
  return EXIT.ok;
}

function senderOf({ settings, parts, api, enrolled, enrolAsClone, checks }: Reporter, spool: Spool): Sender {
  const { clock, log, random, bootId } = parts;
  const sender: Sender = new Sender(
    {
      api,
      spool,
      clock,
      random,
      log,
      bootId,
      credentials: enrolled.credentials,
      keep: (credentials) => writeCredentials(stateDisk(settings), credentials),
      // A damaged file is no reason to stop.
      reload: () => orNull(() => readCredentials(stateDisk(settings))),
      enrolAsClone,
      onInterval: (seconds) => {
        // The owner's file has the last word.
        if (settings.interval === null) sender.intervalSeconds = boundInterval(seconds);
      },
      ...(checks === null ? {} : { onConfigRev: (rev: number) => checks.noteConfigRev(rev) }),
    },
    settings.interval ?? boundInterval(enrolled.intervalSeconds),
  );
  return sender;
}

/** A server's mistake must neither flood it nor silence what reports. */
const boundInterval = (seconds: number): number => Math.min(3600, Math.max(1, seconds));
