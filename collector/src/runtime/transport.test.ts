import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { unknownCertificate } from '../testing/certificate.ts';

const MAIN = join(import.meta.dirname, '../main.ts');
const { key, cert, certFile: certificate } = unknownCertificate();

/** A dashboard with an untrusted certificate; it enrols everybody. */
async function dashboard(): Promise<number> {
  const server = createHttps({ key, cert }, (request, response) => {
    request.resume();
    const server_id = '00000000-0000-4000-8000-000000000001';
    request.on('end', () => response.end(JSON.stringify({ server_id, agent_token: 'x', interval: 60 })));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function enrol(environment: Record<string, string>): Promise<{ status: number | null; text: string }> {
  const state = mkdtempSync(join(tmpdir(), 'transport-state-'));
  onTestFinished(() => rmSync(state, { recursive: true }));
  const env = { PATH: '/usr/bin:/bin', PLIMSOLL_STATE_DIR: state, PLIMSOLL_ENROLMENT_TOKEN: 't', ...environment };
  const child = spawn(process.execPath, [MAIN, 'enrol'], { env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part.toString()));
  return new Promise((resolve) => {
    child.on('close', (status) => resolve({ status, text }));
  });
}

describe('the way to the dashboard', () => {
  it('refuses a certificate of no known authority, and names the reason', async () => {
    const { status, text } = await enrol({ PLIMSOLL_URL: `https://localhost:${await dashboard()}` });
    expect([status, text]).toEqual([1, expect.stringMatching(/SELF_SIGNED|UNABLE_TO_VERIFY/)]);
  });

  it('takes it from the authority the owner names', async () => {
    const url = `https://localhost:${await dashboard()}`;
    const { status, text } = await enrol({ PLIMSOLL_URL: url, PLIMSOLL_CA_FILE: certificate });
    expect([status, text]).toEqual([0, expect.stringContaining('Enrolled as')]);
  });

  it.each([
    ['/nowhere.pem', 'cannot be read'],
    [MAIN, 'holds no certificate in PEM'],
  ])('says what is wrong with the authority %s', async (file, reason) => {
    const { status, text } = await enrol({ PLIMSOLL_URL: 'https://localhost:1', PLIMSOLL_CA_FILE: file });
    expect([status, text]).toEqual([64, expect.stringContaining(reason)]);
  });

  it.each(['PLIMSOLL_PROXY', 'HTTPS_PROXY'])(
    'goes through the proxy of %s, which sees the name and no more',
    async (name) => {
      const port = await dashboard();
      const asked: string[] = [];
      const proxy = createHttp();
      proxy.on('connect', (request, socket) => {
        asked.push(request.url ?? '');
        const onward = connect(port, '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          onward.pipe(socket).pipe(onward);
        });
        onward.on('error', () => socket.destroy());
        socket.on('error', () => onward.destroy());
      });
      await new Promise<void>((resolve) => {
        proxy.listen(0, '127.0.0.1', resolve);
      });
      onTestFinished(() => void proxy.close());
      const { status } = await enrol({
        PLIMSOLL_URL: 'https://dashboard.test',
        [name]: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
        PLIMSOLL_CA_FILE: certificate,
      });
      expect([status, asked]).toEqual([0, ['dashboard.test:443']]);
    },
  );
});
