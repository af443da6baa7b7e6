import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { diskAt } from '../runtime/disk.ts';
import { Spool } from '../send/spool.ts';
import { writeStatus } from '../send/status.ts';
import { enrolled, installed, plimsoll } from '../testing/command.ts';
import { temporaryFolder } from '../testing/folder.ts';
import { NO_DASHBOARD, serve } from '../testing/loopback-api.ts';
import { countedStreams, smallReport } from '../testing/reports.ts';
import { statusOf } from '../testing/status.ts';

const SECRET = 'hunter2-Zq7x';
interface Bundle {
  version: string;
  runtime: string;
  settings: string[];
  findings: { name: string; state: string; text: string }[];
  status: { pid: number } | null;
  spool: { files: { name: string; bytes: number }[]; dropped: object[] } | null;
  report: { memory: { total_bytes: number } };
  sources: Record<string, { ok: boolean }>;
}
const parse = (text: string): Bundle => JSON.parse(text) as Bundle;
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('plimsoll support-bundle', () => {
  it('holds settings, findings, state and one report', async () => {
    const { url } = await serve(() => ({ status: 400, body: {} }));
    const host = enrolled({ url });
    writeStatus(diskAt(host.state), statusOf({ pid: process.pid }));
    const spool = new Spool({ disk: diskAt(join(host.state, 'spool')), newStream: countedStreams() });
    const entries = [await spool.append(smallReport(1, 1), 'boot'), await spool.append(smallReport(2, 2), 'boot')];
    spool.drop(entries[0]!, 'spool_full');
    const { status, out, err } = await plimsoll(['support-bundle', ...host.config]);
    expect([status, err]).toEqual([0, '']);
    const bundle = parse(out);
    expect(bundle).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      runtime: `node ${process.versions.node}`,
      status: { pid: process.pid },
      report: { memory: { total_bytes: expect.any(Number) } },
    });
    expect(bundle.settings.find((line) => line.startsWith('url = '))).toContain(url);
    expect(bundle.findings.map(({ name, state }) => `${name} ${state}`)).toContain('server ok');
    expect(bundle.spool?.files.map(({ name }) => name)).toContain('00000001.seg');
    expect(bundle.spool?.dropped).toEqual([{ from: 1, to: 1, n: 1, why: 'spool_full' }]);
  });

  it('holds no secret in any byte, whichever way it came here', async () => {
    const file = join(temporaryFolder(), 'secret');
    writeFileSync(file, `http://bob:${SECRET}@127.0.0.1:1\n`);
    vi.stubEnv('PLIMSOLL_PROXY_FILE', file);
    vi.stubEnv('DB_PASSWORD', SECRET);
    const host = enrolled({ url: NO_DASHBOARD, enrolment_token: `plm_enrol_${SECRET}` }, `plm_agent_${SECRET}`);
    writeFileSync(join(host.state, 'agent.json.new'), SECRET);
    const { status, out, err } = await plimsoll(['support-bundle', ...host.config]);
    expect(status).toBe(0);
    expect(parse(out).settings.filter((line) => line.includes('(set)'))).toHaveLength(2);
    expect((out + err).includes(SECRET)).toBe(false);
  });

  it('--output writes a file that only its owner can read', async () => {
    const host = enrolled({ url: NO_DASHBOARD });
    const file = join(temporaryFolder(), 'bundle.json');
    const ran = await plimsoll(['support-bundle', '--output', file, ...host.config]);
    expect(ran).toEqual({ status: 0, out: `Written to ${file}\n`, err: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(parse(readFileSync(file, 'utf8')).findings.length).toBeGreaterThan(3);
  });

  it.each([
    ['a file', (file: string) => writeFileSync(file, 'precious')],
    ['a link', (file: string) => symlinkSync(`${file}.target`, file)],
  ])('never writes over %s that is there', async (_what, put) => {
    const host = enrolled({ url: NO_DASHBOARD });
    const folder = temporaryFolder();
    const file = join(folder, 'bundle.json');
    put(file);
    const { status, err } = await plimsoll(['support-bundle', '--output', file, ...host.config]);
    expect([status, err]).toEqual([1, expect.stringContaining('EEXIST')]);
    expect(readdirSync(folder)).toEqual(['bundle.json']);
  });

  it('is made also where nothing works, and says what', async () => {
    const nothing = installed();
    const closed = installed();
    writeFileSync(closed.state, 'no directory');
    for (const host of [nothing, closed]) {
      const { status, out } = await plimsoll(['support-bundle', ...host.config]);
      expect(status).toBe(0);
      const { findings, status: kept, spool } = parse(out);
      expect([kept, spool]).toEqual([null, null]);
      expect(findings.find(({ name }) => name === 'state')).toMatchObject({ state: 'fail' });
    }
  });

  it('says of a damaged spool how large its files are, and goes on', async () => {
    const host = enrolled({ url: NO_DASHBOARD });
    diskAt(join(host.state, 'spool')).append('00000001.seg', Buffer.alloc(40, 0xff), false);
    diskAt(join(host.state, 'spool')).replace('dropped.json', '{"not":');
    const { status, out } = await plimsoll(['support-bundle', ...host.config]);
    expect(status).toBe(0);
    expect(parse(out).spool?.files).toContainEqual({ name: '00000001.seg', bytes: 40 });
  });
});
