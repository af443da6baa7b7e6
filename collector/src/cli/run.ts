import { REPORT_INTERVAL_SECONDS } from '@plimsoll/contract/rules/limits';
import { apiOf, type HostParts, hostParts, hostSources, stateDisk } from '../host-agent.ts';
import { asker, cloudRegion } from '../host/cloud-region.ts';
import type { CheckRunner } from '../checks/check-runner.ts';
import type { ByeReason } from '../send/bye.ts';
import { readCredentials } from '../send/credentials.ts';
import type { ReadingApi } from '../send/http.ts';
import { SettingError, type Settings } from '../settings.ts';
import type { Command } from './command.ts';
import { inputEnd } from '../runtime/input-end.ts';
import { enrolAsClone, enrolPatiently } from './enrol.ts';
import { EXIT } from './exit.ts';
import { type Enrolled, type Reporter, reportUntilStopped } from './reporting.ts';
import { statusKeeper } from './status-keeper.ts';

export const runCommand: Command = {
  summary: 'Collect and report until stopped (what the service runs)',
  help: `plimsoll run [--end-with-input]

--end-with-input  also stops when standard input ends: a program that starts it cannot leave it behind

Enrols first when this host is not enrolled and an enrolment token is set. Reports at once, then every interval.
On SIGTERM it sends what is pending, says goodbye and exits within two seconds; unsent reports stay in the spool.
Exit status: 0 stopped by a signal, 64 a setting cannot be used, 78 enrolment refused, server deleted, or
stopped while the server does not know the token of this host.`,
  options: { 'end-with-input': false },
  run: async ({ options, terminal, settings, signal: stop }) => {
    const signal = options['end-with-input'] === true ? AbortSignal.any([stop, inputEnd()]) : stop;
    const { settings: loaded, warnings, tokenProblem } = settings();
    const parts = hostParts(loaded, terminal.err, terminal.interactive);
    for (const warning of warnings) parts.log('warn', warning);
    if (tokenProblem !== null && readCredentials(stateDisk(loaded)) === null) throw new SettingError(tokenProblem);
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
  const api = await apiOf(settings, parts);
  const reporter: Reporter = {
    settings,
    parts,
    api,
    enrolled,
    sources: hostSources(settings, parts.files),
    checks: settings.checks ? await checkRunnerOf(settings, parts, api) : null,
    enrolAsClone: () => enrolAsClone(settings, parts),
    about: {},
    keeper: (sender, spool) => statusKeeper(stateDisk(settings), sender, spool, parts.clock.wall()),
    byeReason: () => reasonOf(signal),
  };
  return reportUntilStopped(reporter, signal);
}

/** Loaded on demand: the modules of sockets cost memory that a host without checks saves. */
async function checkRunnerOf(settings: Settings, parts: HostParts, api: ReadingApi): Promise<CheckRunner> {
  const { createCheckRunner } = await import('../checks/check-runner.ts');
  return createCheckRunner(settings.check_networks, { api, ...parts });
}

const reasonOf = (signal: AbortSignal): ByeReason => (signal.reason === 'SIGHUP' ? 'restart' : 'stop');
