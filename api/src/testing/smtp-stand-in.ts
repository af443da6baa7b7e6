import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';

/** A self-signed certificate of `localhost` for tests on loopback. Its key protects nothing. */
export const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUb6feXO105yIaQvzh7DN1/4COJZ8wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzAyMjEzMloYDzIxMjYxMDMw
MDIyMTMyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQUlcND5xJnNj1hKrUHR61wbB9O1xv+WXuzLtBbaASbmU6NWhvAT3Bl
qKnHON+5t8+gk0mwXCZnOJJ3HTklbCpRo2kwZzAdBgNVHQ4EFgQUP560MtppTm4Q
7NvNfINZZg7Dv9owHwYDVR0jBBgwFoAUP560MtppTm4Q7NvNfINZZg7Dv9owDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgZ1ZWPtWy/sdRTqknvVlU0VA/UjsiN0BwLbEjW7s6/2UCIQCK4Tbd5Pd9
sY4xOSS1MPIYmzYLXcV7Rc11H3c13TZ9EA==
-----END CERTIFICATE-----`;
export const TEST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFDS+qFEye49EA7ft
7s6/Ma3dyn73ilG4ES3AcaG9ZsqhRANCAAQUlcND5xJnNj1hKrUHR61wbB9O1xv+
WXuzLtBbaASbmU6NWhvAT3BlqKnHON+5t8+gk0mwXCZnOJJ3HTklbCpR
-----END PRIVATE KEY-----`;

export interface SmtpStandIn {
  port: number;
  /** Commands as they came, with the message as one entry. */
  received: string[];
  /** The answer to a command that starts with these letters, instead of the usual one. */
  answers: Map<string, string>;
  close(): void;
}

const USUAL: Readonly<Record<string, string>> = {
  MAIL: '250 ok',
  RCPT: '250 ok',
  AUTH: '235 ok',
  DATA: '354 go on',
  QUIT: '221 bye',
  RSET: '250 ok',
};

/** A mail server on loopback that speaks SMTP with STARTTLS, or TLS from the start. `silent`: it never greets. */
export async function smtpStandIn(mode: 'starttls' | 'tls' | 'plain' | 'silent'): Promise<SmtpStandIn> {
  const received: string[] = [];
  const answers = new Map<string, string>();
  const sockets = new Set<Socket>();
  const secure = (socket: Socket): TLSSocket =>
    new TLSSocket(socket, { isServer: true, cert: TEST_CERTIFICATE, key: TEST_KEY });

  const talk = (socket: Socket, isSecure: boolean): void => {
    let text = '';
    let message: string[] | null = null;
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    const onLine = (line: string): void => {
      if (message !== null) {
        if (line !== '.') message.push(line);
        else {
          received.push(message.join('\n'));
          message = null;
          say(answers.get('.') ?? '250 taken');
        }
        return;
      }
      received.push(line);
      const verb = line.slice(0, 4).toUpperCase();
      const given = answers.get(verb);
      if (given !== undefined) say(given);
      else if (verb === 'EHLO')
        say(mode === 'starttls' && !isSecure ? '250-localhost\r\n250 STARTTLS' : '250-localhost\r\n250 AUTH PLAIN');
      else if (verb === 'STAR' && mode === 'starttls') {
        socket.off('data', onData);
        say('220 go on');
        talk(secure(socket), true);
      } else {
        if (verb === 'DATA') message = [];
        say(USUAL[verb] ?? '502 unknown');
      }
    };
    const onData = (chunk: Buffer): void => {
      text += chunk.toString();
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        onLine(line);
      }
    };
    socket.on('data', onData).on('error', () => {});
    if (!isSecure || mode === 'tls') if (mode !== 'silent') say('220 localhost');
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    if (mode === 'tls') talk(secure(socket), true);
    else talk(socket, false);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, 'localhost', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    received,
    answers,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
