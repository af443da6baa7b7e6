import { afterEach, expect, test } from 'vitest';
import { exampleNotification } from '../../testing/notify.ts';
import { smtpStandIn, TEST_CERTIFICATE, type SmtpStandIn } from '../../testing/smtp-stand-in.ts';
import { createEmail } from './email.ts';

const network = { allowedRanges: ['127.0.0.0/8', '::1'], timeoutMs: 3000 };
let server: SmtpStandIn | undefined;
afterEach(() => server?.close());

const send = (port: number, security: string, { timeoutMs = 3000, ca = TEST_CERTIFICATE } = {}) =>
  createEmail({ ...network, timeoutMs }, { ca }).send(
    {
      settings: {
        host: 'localhost',
        port,
        security,
        username: 'user',
        from: 'plimsoll@example.com',
        to: ['a@example.com', 'b@example.com'],
      },
      secrets: { password: 'correct horse' },
    },
    exampleNotification({ title: 'web-1: Memory 97 %\r\nBcc: evil@example.com' }),
  );

test.each(['starttls', 'tls'] as const)('sends one message through %s', async (mode) => {
  server = await smtpStandIn(mode);
  expect(await send(server.port, mode)).toEqual({ outcome: 'delivered', detail: 'The mail server took the message.' });
  const commands = server.received.join('\n');
  expect(commands.match(/^RCPT TO:<[ab]@example.com>/gm)).toHaveLength(2);
  expect(commands).toContain(`AUTH PLAIN ${Buffer.from('\0user\0correct horse').toString('base64')}`);
  expect(commands).toMatch(/^Subject: .*Memory 97/m);
  // The text may hold such a line, the header may not.
  expect(commands.split('\n\n')[0]).not.toMatch(/^Bcc:/m);
});

test('sends no password to a server without TLS', async () => {
  server = await smtpStandIn('plain');
  expect(await send(server.port, 'starttls')).toMatchObject({ outcome: expect.stringMatching(/failed|refused/) });
  expect(server.received.join('\n')).not.toContain('AUTH');
});

test('sends without TLS where the channel says so, and never a password', async () => {
  server = await smtpStandIn('starttls');
  expect(await send(server.port, 'none')).toMatchObject({ outcome: 'delivered' });
  const commands = server.received.join('\n');
  expect(commands).toMatch(/^Subject: .*Memory 97/m);
  expect(commands).not.toMatch(/STARTTLS|AUTH/);
});

test('trusts the authority of the channel', async () => {
  server = await smtpStandIn('tls');
  const settings = { host: 'localhost', port: server.port, security: 'tls', from: 'a@b', to: ['a@b'] };
  const own = { settings: { ...settings, ca: TEST_CERTIFICATE }, secrets: {} };
  expect(await createEmail(network).send(own, exampleNotification())).toMatchObject({ outcome: 'delivered' });
});

test('trusts no unknown certificate', async () => {
  server = await smtpStandIn('tls');
  const other = createEmail(network).send(
    { settings: { host: 'localhost', port: server.port, security: 'tls', from: 'a@b', to: ['a@b'] }, secrets: {} },
    exampleNotification(),
  );
  expect(await other).toMatchObject({ outcome: 'failed' });
  expect(server.received).toEqual([]);
});

test.each([
  ['RCPT', '550 no such user', 'refused'],
  ['AUTH', '535 wrong password', 'refused'],
  ['MAIL', '451 try later', 'failed'],
  ['.', '552 too large', 'refused'],
])('%s answered with %s is %s', async (verb, answer, outcome) => {
  server = await smtpStandIn('starttls');
  server.answers.set(verb, answer);
  const result = await send(server.port, 'starttls');
  expect(result).toMatchObject({ outcome, detail: expect.stringContaining(answer.slice(0, 3)) });
  expect(result.detail).not.toContain('horse');
});

test('a server that hangs or is private is a failure that may pass', async () => {
  server = await smtpStandIn('silent');
  expect(await send(server.port, 'starttls', { timeoutMs: 200 })).toMatchObject({ outcome: 'failed' });
  const closed = createEmail({ ...network, allowedRanges: [] }).send(
    { settings: { host: 'localhost', port: 1, security: 'tls', from: 'a@b', to: ['a@b'] }, secrets: {} },
    exampleNotification(),
  );
  expect(await closed).toMatchObject({ outcome: 'failed', detail: expect.stringContaining('private') });
});
