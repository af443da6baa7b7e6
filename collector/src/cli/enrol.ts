import type { Credentials } from '../send/credentials.ts';
import { ensureWritable, writeCredentials } from '../send/credentials.ts';
import { backoffSeconds } from '../send/backoff.ts';
import { enrol } from '../send/enrol.ts';
import { SHARED_REMEDY, sharedText } from '../send/shared-machine-id.ts';
import { apiOf, enrolRequestOf, type HostParts, hostParts, stateDisk } from '../host-agent.ts';
import { READERS, SettingError, type Settings } from '../settings.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit.ts';

export const enrolCommand: Command = {
  summary: 'Register this host with the dashboard, once',
  help: `plimsoll enrol [--token TOKEN]

Exchanges the token of the dashboard's Setup page for this host's own secret and keeps that in the state directory.
Better than --token, which others may see in the process list: PLIMSOLL_ENROLMENT_TOKEN or
PLIMSOLL_ENROLMENT_TOKEN_FILE.
Exit status: 0 enrolled, 1 the server cannot be reached, 64 wrong use, 78 the token was refused.`,
  options: { token: true },
  run: async ({ options, terminal, settings }) => {
    const { settings: loaded, tokenProblem } = settings();
    const given = options['token'];
    const token = typeof given === 'string' ? READERS.enrolment_token(given) : loaded.enrolment_token;
    if (token === null)
      throw new SettingError(
        tokenProblem ?? 'enrolment_token is not set. Copy one from the Setup page of the dashboard',
      );
    const parts = hostParts(loaded, terminal.err, terminal.interactive);
    const disk = stateDisk(loaded);
    ensureWritable(disk);
    const outcome = await enrol(await apiOf(loaded, parts), await enrolRequestOf(loaded, parts, disk, token));
    if (outcome.kind === 'enrolled') {
      writeCredentials(disk, outcome.credentials);
      terminal.out(`Enrolled as ${outcome.credentials.server_id}\n`);
      if (outcome.sharesWith) terminal.err(`Warning: ${sharedText(outcome.sharesWith)}.\n${SHARED_REMEDY}.\n`);
      return EXIT.ok;
    }
    const reason = outcome.kind === 'refused' ? outcome.detail : `the server cannot be reached (${outcome.code})`;
    terminal.err(`Not enrolled: ${reason}\n`);
    return outcome.kind === 'refused' ? EXIT.enrolmentDead : EXIT.failed;
  },
};

/** Enrols for `run`: tries until it works, the server refuses (null) or the signal aborts (null). */
export async function enrolPatiently(
  settings: Settings,
  parts: HostParts,
  token: string,
  signal: AbortSignal,
): Promise<{ credentials: Credentials; intervalSeconds: number } | null> {
  const disk = stateDisk(settings);
  ensureWritable(disk);
  const request = await enrolRequestOf(settings, parts, disk, token);
  for (let failures = 0; !signal.aborted; failures += 1) {
    const outcome = await enrol(await apiOf(settings, parts), request);
    if (outcome.kind === 'enrolled') {
      writeCredentials(disk, outcome.credentials);
      parts.log('info', 'enrolled', { server_id: outcome.credentials.server_id });
      return outcome;
    }
    if (outcome.kind === 'refused') {
      parts.log('error', `enrolment refused: ${outcome.detail}`, { code: outcome.code });
      return null;
    }
    if (failures === 0)
      parts.log('warn', 'the server cannot be reached, enrolling again and again', { code: outcome.code });
    await parts.clock.sleep(Math.max(outcome.seconds ?? 0, backoffSeconds(failures, parts.random)), signal);
  }
  return null;
}

/** After a stream conflict. Null when there is no token to enrol with, or the server does not take it now. */
export async function enrolAsClone(settings: Settings, parts: HostParts): Promise<Credentials | null> {
  if (settings.enrolment_token === null) {
    parts.log('error', 'a clone must enrol anew, and no enrolment token is set: plimsoll enrol --token TOKEN');
    return null;
  }
  const disk = stateDisk(settings);
  const request = await enrolRequestOf(settings, parts, disk, settings.enrolment_token);
  const outcome = await enrol(await apiOf(settings, parts), { ...request, cloned: true });
  if (outcome.kind !== 'enrolled') parts.log('error', 'enrolling as a clone failed', { code: outcome.code });
  return outcome.kind === 'enrolled' ? outcome.credentials : null;
}
