import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive } from '../../api/src/database/embedded/postmaster.ts';
import { endLeftCollector, forgetStrangeEnrolment } from './local-collector.ts';

/** A data folder whose collector says it is this process; the process runs under the given words. */
async function left(...words: string[]) {
  const dataDir = mkdtempSync(join(tmpdir(), 'plimsoll-left-'));
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)', '--', ...words]);
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true });
  });
  await once(child.stdout, 'data');
  mkdirSync(join(dataDir, 'collector'));
  writeFileSync(join(dataDir, 'collector', 'status.json'), JSON.stringify({ pid: child.pid, sources: {} }));
  const said: string[] = [];
  await endLeftCollector({ dataDir }, (line) => void said.push(line));
  return { said, lives: isAlive(child.pid ?? 0) };
}

test.each([
  ['the program', ['/x/.cache/collector-linux-x64/plimsoll', 'run']],
  ['its source', ['/x/collector/src/main.ts', 'run', '--end-with-input']],
])('a collector that a killed start left behind is ended: %s', async (_, words) => {
  const { said, lives } = await left(...words);
  expect(lives).toBe(false);
  expect(said).toEqual([expect.stringMatching(/^ending the collector of an earlier start \(process \d+\)$/)]);
});

test('another program that has got its number lives', async () => {
  expect(await left('vim', 'plimsoll.txt')).toEqual({ said: [], lives: true });
});

test('without a collector there is nothing to end', async () => {
  await expect(endLeftCollector({ dataDir: '/nowhere' }, () => {})).resolves.toBeUndefined();
});

/** An API that answers the goodbye with this status, and whether the enrolment is still there. */
async function startedWith(status: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'plimsoll-enrolled-'));
  const tokens: (string | undefined)[] = [];
  const api = createServer((request, response) => {
    tokens.push(request.headers.authorization);
    request.resume();
    response.writeHead(status).end('{}');
  });
  await new Promise<void>((resolve) => void api.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    api.close();
    rmSync(dataDir, { recursive: true });
  });
  mkdirSync(join(dataDir, 'collector'));
  const file = join(dataDir, 'collector', 'agent.json');
  writeFileSync(file, JSON.stringify({ server_id: 's', agent_token: 'secret' }));
  const said: string[] = [];
  const url = `http://127.0.0.1:${String((api.address() as AddressInfo).port)}`;
  await forgetStrangeEnrolment({ dataDir, url }, (line) => void said.push(line));
  return { isKept: existsSync(file), said, tokens };
}

test.each([200, 204, 403, 429, 500, 503])('the enrolment stays when the API answers %i', async (status) => {
  expect(await startedWith(status)).toEqual({ isKept: true, said: [], tokens: ['Bearer secret'] });
});

test('the enrolment of another database is thrown away, so that the collector enrols anew', async () => {
  expect(await startedWith(401)).toEqual({
    isKept: false,
    said: ['this database does not know the collector of this machine: it enrols anew'],
    tokens: ['Bearer secret'],
  });
});
