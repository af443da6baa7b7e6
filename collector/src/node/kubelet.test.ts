import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { unknownCertificate } from '../testing/certificate.ts';
import { KubeletError, type KubeletSettings, readSummary } from './kubelet.ts';

const certificate = unknownCertificate();

/** A kubelet of this machine that answers so; gives how to ask it. */
async function kubelet(answer: RequestListener, change: Partial<KubeletSettings> = {}): Promise<KubeletSettings> {
  const { host = '127.0.0.1' } = change;
  const server = createServer(certificate, answer);
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const asked = { host, port, ca: certificate.cert, insecureSkipVerify: false, token: () => 't' };
  return { ...asked, ...change };
}
const answering =
  (status: number, body: string): RequestListener =>
  (_request, answer) =>
    answer.writeHead(status).end(body);
const failureOf = async (settings: KubeletSettings): Promise<[string, string]> => {
  const error = await readSummary(settings).then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof KubeletError ? [error.state, error.message] : ['no KubeletError', String(error)];
};

describe('readSummary', () => {
  it('asks the kubelet of a node whose address is IPv6', async () => {
    const hosts: unknown[] = [];
    const settings = await kubelet(
      (request, answer) => {
        hosts.push(request.headers.host);
        answer.end('{"node":{"nodeName":"worker"}}');
      },
      { host: '::1', insecureSkipVerify: true },
    );
    await readSummary(settings);
    expect(hosts).toEqual([`[::1]:${String(settings.port)}`]);
  });

  it('asks for the summary and nothing else, with the token as it is now', async () => {
    const seen: unknown[] = [];
    let token = 'old';
    const settings = await kubelet(
      (request, answer) => {
        seen.push([request.method, request.url, request.headers.authorization]);
        answer.end('{"node":{"nodeName":"worker"}}');
      },
      { token: () => token },
    );
    expect(await readSummary(settings)).toEqual({ node: { nodeName: 'worker' } });
    token = 'renewed';
    await readSummary(settings);
    expect(seen).toEqual([
      ['GET', '/stats/summary', 'Bearer old'],
      ['GET', '/stats/summary', 'Bearer renewed'],
    ]);
  });

  it.each([
    [401, '', 'forbidden', 'the kubelet does not accept our service account token'],
    [403, 'Forbidden (user=x, verb=get, resource=nodes)', 'forbidden', 'forbidden: needs nodes/stats get'],
    [404, '', 'down', 'the kubelet answered 404'],
    [500, 'secret', 'down', 'the kubelet answered 500'],
    [302, '', 'down', 'the kubelet answered 302'],
    [200, '<html>', 'down', 'the kubelet answered something that is not JSON'],
    [200, '', 'down', 'the kubelet answered something that is not JSON'],
  ])('status %d with %j is %s: %s', async (status, body, state, message) => {
    expect(await failureOf(await kubelet(answering(status, body)))).toEqual([state, message]);
  });

  it('does not speak to a kubelet it cannot verify, and says what to do', async () => {
    let asked = 0;
    const settings = await kubelet(
      (_request, answer) => {
        asked += 1;
        answer.end('{}');
      },
      { ca: null },
    );
    const [state, message] = await failureOf(settings);
    expect([state, asked]).toEqual(['unreachable', 0]);
    expect(message).toMatch(
      /^kubelet certificate not trusted \(.*self-signed.*\): let the cluster sign it \(serverTLSBootstrap\) or set nodeAgent\.kubelet\.certificateAuthority$/,
    );
  });

  it('speaks to it all the same when the operator says so', async () => {
    const settings = await kubelet(answering(200, '{}'), { ca: null, insecureSkipVerify: true });
    expect(await readSummary(settings)).toEqual({});
  });

  it('a kubelet that is not there is out of reach, without a word about certificates', async () => {
    const settings = await kubelet(answering(200, '{}'));
    const [state, message] = await failureOf({ ...settings, port: 1 });
    expect([state, message]).toEqual(['unreachable', expect.stringMatching(/^kubelet: ECONNREFUSED/)]);
  });

  it('an answer that breaks off is no summary', async () => {
    const settings = await kubelet((request, answer) => {
      answer.writeHead(200, { 'content-length': '100' }).write('{"node":');
      setImmediate(() => request.socket.destroy());
    });
    await expect(readSummary(settings)).rejects.toThrow('aborted');
  });
});
