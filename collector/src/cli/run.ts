import type { ByeReason } from '../send/bye.ts';
import { sayBye } from '../send/bye.ts';
import { REPORT_INTERVAL_SECONDS } from '@plimsoll/contract/limits';
import { runAgent } from '../agent.ts';
import { apiOf, type HostParts, hostParts, hostSources, spoolDisk, stateDisk } from '../host-agent.ts';
import { asker, cloudRegion } from '../lib/cloud-region.ts';
import { randomHex128 } from '../lib/identity.ts';
import { type Credentials, readCredentials, writeCredentials } from '../send/credentials.ts';
import { Sender } from '../send/sender.ts';
import { Spool } from '../send/spool.ts';
import type { Settings } from '../settings.ts';
import { VERSION } from '../version.ts';
import type { Command } from './command.ts';
import { enrolAsClone, enrolPatiently } from './enrol.ts';
import { EXIT } from './exit.ts';
import { statusKeeper } from './status-keeper.ts';

export const runCommand: Command = {
  summary: 'Collect and report until stopped (what the service runs)',
  help: `plimsoll run

Enrols first when this host is not enrolled and an enrolment token is set. Reports at once, then every interval.
On SIGTERM it sends what is pending, says goodbye and exits within two seconds; unsent reports stay in the spool.
Exit status: 0 stopped by a signal, 64 a setting cannot be used, 78 enrolment refused or server deleted.`,
  options: {},
  run: async ({ terminal, settings, signal }) => {
    const { settings: loaded, warnings } = settings();
    const parts = hostParts(loaded, terminal.err, terminal.interactive);
    for (const warning of warnings) parts.log('warn', warning);
    const enrolled = await credentialsFor(loaded, parts, signal);
    if (enrolled === null) return signal.aborted ? EXIT.ok : EXIT.enrolmentDead;
    return report(await withRegion(loaded, parts), parts, enrolled, signal);
  },
};

/** Asked once a start: a machine does not move while it runs. */
async function withRegion(settings: Settings, { fetchFrom }: HostParts): Promise<Settings> {
  if (settings.region !== null || !settings.cloud_metadata) return settings;
  return { ...settings, region: await cloudRegion(asker(fetchFrom)) };
}

interface Enrolled {
  credentials: Credentials;
  intervalSeconds: number;
}

async function credentialsFor(settings: Settings, parts: HostParts, signal: AbortSignal): Promise<Enrolled | null> {
  const known = readCredentials(stateDisk(settings));
  if (known) return { credentials: known, intervalSeconds: REPORT_INTERVAL_SECONDS };
  if (settings.enrolment_token === null) {
    parts.log(
      'error',
      'this host is not enrolled. Copy the command of the Setup page, or: plimsoll enrol --token TOKEN',
    );
    return null;
  }
  return enrolPatiently(settings, parts, settings.enrolment_token, signal);
}

async function report(settings: Settings, parts: HostParts, enrolled: Enrolled, signal: AbortSignal): Promise<number> {
  const { clock, log, random, bootId } = parts;
  const api = await apiOf(settings, parts);
  const spool = new Spool({
    disk: spoolDisk(settings),
    newStream: randomHex128,
    onDiskState: (ok, reason) =>
      ok ? log('info', 'reports are kept on disk again') : log('error', 'reports are kept in memory only', { reason }),
  });
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
      enrolAsClone: () => enrolAsClone(settings, parts),
      onInterval: (seconds) => {
        // The owner's file has the last word.
        if (settings.interval === null) sender.intervalSeconds = boundInterval(seconds);
      },
    },
    settings.interval ?? boundInterval(enrolled.intervalSeconds),
  );
  log('info', 'reporting', { server_id: sender.serverId, url: settings.url, pending: spool.entries.length });
  const status = statusKeeper(stateDisk(settings), sender, spool, clock.wall());
  const options = {
    ...status,
    sources: hostSources(settings, parts.files),
    spool,
    sender,
    clock,
    log,
    bootId,
    version: VERSION,
    milliseconds: parts.milliseconds,
  };
  const ending = await runAgent(options, signal);
  if (ending === 'gone') return EXIT.enrolmentDead;
  await sayBye(api, sender, reasonOf(signal));
  log('info', 'stopped', { pending: spool.entries.length });
  return EXIT.ok;
}

/** A server's mistake must neither flood it nor silence the host. */
const boundInterval = (seconds: number): number => Math.min(3600, Math.max(1, seconds));

const reasonOf = (signal: AbortSignal): ByeReason => (signal.reason === 'SIGHUP' ? 'restart' : 'stop');
