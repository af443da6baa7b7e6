import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { contract, NO_DASHBOARD, serve } from '../testing/loopback-api.ts';
import { plimsoll } from '../testing/process.ts';

const NOBODY = 65_534;

/** A host whose state belongs to another user, as seen by one without rights. Only root can make such a thing. */
function closedHost(): Record<string, string> {
  const folder = temporaryFolder();
  const state = join(folder, 'state');
  mkdirSync(state, { mode: 0o700 });
  const credentials = join(state, 'agent.json');
  writeFileSync(credentials, '{"server_id":"s","agent_token":"plm_agent_hunter2"}', { mode: 0o600 });
  for (const path of [credentials, state]) chownSync(path, NOBODY, NOBODY);
  return { PLIMSOLL_STATE_DIR: state, PLIMSOLL_URL: NO_DASHBOARD, PLIMSOLL_DISABLED_SOURCES: 'units' };
}

describe.skipIf(process.getuid?.() !== 0)('without rights', () => {
  it('check names what it may not see and how to see it, and looks at the rest', async () => {
    const environment = closedHost();
    const { output, ended } = plimsoll(['check'], environment, 'none');
    expect(await ended).toBe(1);
    expect(output.out).toMatch(/^FAIL {2}state: EACCES: permission denied.*\n {6}→ Run this as root/m);
    expect(output.out).toMatch(/^FAIL {2}server: .*ECONNREFUSED/m);
    expect(output.out).not.toMatch(/not enrolled|hunter2/);
  });

  it('every command that needs the state says that it may not have it, in one line', async () => {
    const environment = closedHost();
    const commands = [['status'], ['run'], ['change-owner'], ['uninstall', '--goodbye']];
    const ran = commands.map((argv) => plimsoll(argv, environment, 'none'));
    for (const { child } of ran) child.stdin.end('plm_api_x\n');
    for (const { ended, output } of ran) {
      expect(await ended).toBe(1);
      expect(output.err).toMatch(/^plimsoll [a-z-]+: EACCES: permission denied.*\n$/);
      expect(output.out + output.err).not.toContain('hunter2');
    }
  });

  it('enrol asks for no secret it could not keep: the one in use would be forgotten', async () => {
    const { url, seen } = await serve(contract);
    const environment = { ...closedHost(), PLIMSOLL_URL: url };
    for (const argv of [['enrol', '--token', 't'], ['run']]) {
      const { output, ended } = plimsoll(argv, { ...environment, PLIMSOLL_ENROLMENT_TOKEN: 't' }, 'none');
      expect([await ended, output.err]).toEqual([1, expect.stringContaining('EACCES')]);
    }
    expect(seen).toEqual([]);
  });
});
