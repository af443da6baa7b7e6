import { existsSync, statSync } from 'node:fs';
import { apiOf, hostParts, hostSources, spoolDisk, stateDisk } from '../host-agent.ts';
import { collect } from '../report.ts';
import { readCredentials } from '../send/credentials.ts';
import type { Reply } from '../send/http.ts';
import { SPOOL_LIMITS } from '../send/spool.ts';
import { readStatus } from '../send/status.ts';
import { codeOf } from '../send/verdict.ts';
import type { Settings } from '../settings.ts';
import type { Command, Invocation } from './command.ts';
import { EXIT } from './exit.ts';
import { fail, type Finding, judgeRunning, judgeSources, ok, printFindings, remedyOf, warn } from './health.ts';
import { isAlive } from './process-alive.ts';

export const checkCommand: Command = {
  summary: 'Look for faults and name the remedy of each',
  help: `plimsoll check

Settings, state directory, enrolment, the way to the server, every source, the running service.
Exit status: 0 nothing is wrong (warnings allowed), 1 something is, 64 wrong use or setting.`,
  options: {},
  run: async (invocation) => {
    const findings = await examine(invocation);
    printFindings(findings, invocation.terminal.out);
    return findings.some(({ state }) => state === 'fail') ? EXIT.failed : EXIT.ok;
  },
};

/** Every finding, the good ones too; each check stands alone. */
export async function examine({ settings, terminal }: Invocation): Promise<Finding[]> {
  const { settings: loaded, warnings } = settings();
  const parts = hostParts(loaded, terminal.err, terminal.interactive);
  const now = { ts: parts.clock.wall(), up: parts.clock.up() };
  const { sources } = await collect(hostSources(loaded, parts.files), now, null, parts.milliseconds);
  const here = existsSync(loaded.state_dir);
  return [
    ok('settings', `${loaded.url ?? 'no url'}, state in ${loaded.state_dir}`),
    ...warnings.map((text) => warn('settings', text, '')),
    ...checkState(loaded, here),
    checkEnrolment(loaded, here),
    await checkServer(loaded, terminal.err),
    ...judgeSources(sources),
    ...(here ? judgeRunning(readStatus(stateDisk(loaded)), now.ts, isAlive) : []),
  ];
}

function checkState(settings: Settings, here: boolean): Finding[] {
  if (!here) return [fail('state', `${settings.state_dir} is missing`, 'plimsoll enrol makes it')];
  const open = (statSync(settings.state_dir).mode & 0o077) !== 0;
  const rights = open
    ? warn('state', `${settings.state_dir} may be read by others`, `chmod 700 ${settings.state_dir}`)
    : ok('state', `${settings.state_dir} is closed to others`);
  const { bytes, share } = spoolDisk(settings).free();
  const enough = bytes >= SPOOL_LIMITS.freeBytes && share >= SPOOL_LIMITS.freeShare;
  const free = `${Math.floor(bytes / 1_048_576)} MiB (${Math.round(share * 100)} %) free`;
  const room = enough
    ? ok('spool', free)
    : fail('spool', `${free}: reports are kept in memory only`, 'Free some space: at least 64 MiB and 5 % of the disk');
  return [rights, room];
}

function checkEnrolment(settings: Settings, here: boolean): Finding {
  const remedy = 'plimsoll enrol --token TOKEN (Setup page of the dashboard)';
  try {
    const credentials = here ? readCredentials(stateDisk(settings)) : null;
    return credentials
      ? ok('enrolment', `server ${credentials.server_id}`)
      : fail('enrolment', 'this host is not enrolled', remedy);
  } catch (error) {
    return fail('enrolment', error instanceof Error ? error.message : String(error), remedy);
  }
}

/** An enrolment without a token: a server that speaks the protocol refuses it, and nothing is changed by it. */
async function checkServer(settings: Settings, err: (text: string) => void): Promise<Finding> {
  if (settings.url === null)
    return fail('server', 'url is not set', 'Set "url" in /etc/plimsoll/agent.conf or PLIMSOLL_URL');
  const parts = hostParts(settings, err, false);
  const api = await apiOf(settings, parts);
  const reply = await api.post('/api/agent/v1/enrol', {}, null);
  return judgeServer(settings.url, reply);
}

export function judgeServer(url: string, reply: Reply): Finding {
  if (reply.kind === 'failed') return fail('server', `${url} cannot be reached (${reply.code})`, remedyOf(reply.code));
  if (reply.status === 400 || reply.status === 401 || reply.status === 422) return ok('server', `${url} answers`);
  if (reply.status === 404)
    return fail(
      'server',
      `${url} is not a Plimsoll server`,
      'See that "url" is the address of the dashboard, without a path',
    );
  return warn('server', `${url} answers ${reply.status} (${codeOf(reply)})`, remedyOf(codeOf(reply)));
}
