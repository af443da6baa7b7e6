import { existsSync, statSync } from 'node:fs';
import { apiOf, hostParts, hostSources, stateDisk } from '../host-agent.ts';
import type { Disk } from '../runtime/disk.ts';
import { collect } from '../report.ts';
import { readCredentials } from '../send/credentials.ts';
import type { Reply } from '../send/http.ts';
import { SPOOL_LIMITS } from '../send/spool.ts';
import { readStatus } from '../send/status.ts';
import { codeOf } from '../send/verdict.ts';
import type { Settings } from '../settings.ts';
import { judgeCredential } from './cleared-credential.ts';
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
  const { settings: loaded, warnings, tokenProblem } = settings();
  const parts = hostParts(loaded, terminal.err, terminal.interactive);
  const now = { ts: parts.clock.wall(), up: parts.clock.up() };
  const { sources } = await collect(hostSources(loaded, parts.files), now, null, parts.milliseconds);
  const state = openState(loaded, tokenProblem);
  return [
    ok('settings', `${loaded.url ?? 'no url'}, state in ${loaded.state_dir}`),
    ...warnings.map((text) => warn('settings', text, '')),
    ...state.findings,
    ...(state.findings.some(({ name, state: judged }) => name === 'enrolment' && judged === 'fail')
      ? judgeCredential()
      : []),
    await checkServer(loaded, terminal.err),
    ...judgeSources(sources),
    ...(state.disk ? judgeRunning(readStatus(state.disk), now.ts, isAlive) : []),
  ];
}

/** A directory that is closed to this user says nothing of the enrolment in it; the other checks go on. */
function openState(settings: Settings, tokenProblem: string | null): { disk: Disk | null; findings: Finding[] } {
  const { state_dir: folder } = settings;
  if (!existsSync(folder)) {
    const missing = fail('state', `${folder} is missing`, 'plimsoll enrol makes it');
    return { disk: null, findings: [missing, checkEnrolment(null, tokenProblem)] };
  }
  try {
    const disk = stateDisk(settings);
    disk.list();
    return { disk, findings: [...checkState(folder, disk), checkEnrolment(disk, tokenProblem)] };
  } catch (error) {
    const remedy = `Run this as root, and see that ${folder} is a directory of the service's user`;
    return { disk: null, findings: [fail('state', messageOf(error), remedy)] };
  }
}

/** Looks at the directory around the spool: one that this command made would not be the service's. */
function checkState(folder: string, disk: Disk): Finding[] {
  const open = (statSync(folder).mode & 0o077) !== 0;
  const rights = open
    ? warn('state', `${folder} may be read by others`, `chmod 700 ${folder}`)
    : ok('state', `${folder} is closed to others`);
  const { bytes, share } = disk.free();
  const enough = bytes >= SPOOL_LIMITS.freeBytes && share >= SPOOL_LIMITS.freeShare;
  const free = `${Math.floor(bytes / 1_048_576)} MiB (${Math.round(share * 100)} %) free`;
  const room = enough
    ? ok('spool', free)
    : fail('spool', `${free}: reports are kept in memory only`, 'Free some space: at least 64 MiB and 5 % of the disk');
  return [rights, room];
}

function checkEnrolment(disk: Disk | null, tokenProblem: string | null): Finding {
  const remedy = 'plimsoll enrol --token TOKEN (Setup page of the dashboard)';
  try {
    const credentials = disk ? readCredentials(disk) : null;
    return credentials
      ? ok('enrolment', `server ${credentials.server_id}`)
      : tokenProblem === null
        ? fail('enrolment', 'this host is not enrolled', remedy)
        : fail('enrolment', `this host is not enrolled: ${tokenProblem}`, remedy);
  } catch (error) {
    return fail('enrolment', messageOf(error), remedy);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

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
