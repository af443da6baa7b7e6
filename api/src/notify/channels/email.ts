import { timerMs } from '@plimsoll/contract/rules/timer';
import { EgressError, pinAddress } from '../../egress.ts';
import { cut, plainText } from '../message.ts';
import type { ChannelDriver, SendResult, Target } from '../types.ts';
import type { ChannelNetwork } from './http.ts';

const MOST_SUBJECT_CHARACTERS = 200;
/** A whole conversation takes at most this many timeouts of one step: less than the lease of a message. */
const WHOLE_TIMEOUTS = 3;

/** Certificates a test trusts instead of the system's. */
export interface EmailTrust {
  ca?: string;
}

/** SMTP: 4xx may pass, 5xx does not. Without an answer the server was not reached. */
function failureOf(error: unknown): SendResult {
  const { responseCode: status, code, command } = error as { responseCode?: number; code?: string; command?: string };
  if (status !== undefined) {
    const detail = `The mail server answered ${String(status)}${command === undefined ? '' : ` to ${command.slice(0, 20)}`}.`;
    return { outcome: status >= 500 ? 'refused' : 'failed', detail };
  }
  return { outcome: 'failed', detail: `The mail server was not reached or did not finish (${code ?? 'no answer'}).` };
}

/**
 * Sends through an SMTP server with TLS from the start, with STARTTLS, which it requires, or without TLS where the channel
 * says so. A channel may bring the certificates of its own authority.
 */
export function createEmail(network: ChannelNetwork, trust: EmailTrust = {}): ChannelDriver {
  const send = async ({ settings, secrets }: Target, subject: string, text: string): Promise<void> => {
    const host = String(settings['host']);
    const { timeoutMs, allowedRanges } = network;
    const { address } = await pinAddress(host, { allowedRanges }, AbortSignal.timeout(timerMs(timeoutMs)));
    const { username, security, ca } = settings;
    const isPlain = security === 'none';
    const trusted = typeof ca === 'string' ? { ca } : trust;
    // Read when it is needed: many installations send no mail, and the library takes 5 MB.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      host: address,
      port: Number(settings['port']),
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      // A server may offer STARTTLS with a certificate that nobody can check.
      ignoreTLS: isPlain,
      tls: { servername: host, ...trusted },
      ...(typeof username === 'string' && !isPlain && { auth: { user: username, pass: secrets['password'] ?? '' } }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    // The timeouts above begin anew with every byte.
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new EgressError('no answer in time')), timerMs(WHOLE_TIMEOUTS * timeoutMs));
    try {
      const to = settings['to'] as string[];
      await Promise.race([transport.sendMail({ from: String(settings['from']), to, subject, text }), late]);
    } finally {
      clearTimeout(timer);
      transport.close();
    }
  };
  return {
    send: async (target, notification) => {
      try {
        await send(target, cut(notification.title, MOST_SUBJECT_CHARACTERS), plainText(notification));
        return { outcome: 'delivered', detail: 'The mail server took the message.' };
      } catch (error) {
        if (!(error instanceof EgressError)) return failureOf(error);
        return { outcome: 'failed', detail: `The mail server was not reached: ${error.message}.` };
      }
    },
  };
}
