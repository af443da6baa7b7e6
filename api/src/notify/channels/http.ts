import { printableText } from '@plimsoll/contract/rules/printable-text';
import { EgressError, egressRequest, type EgressAnswer, type EgressProxy } from '../../egress.ts';
import type { SendResult } from '../types.ts';

/** Network access of channels. */
export interface ChannelNetwork {
  /** Private addresses and ranges that URLs of users may lead to. */
  allowedRanges: readonly string[];
  /** Milliseconds for one request. */
  timeoutMs: number;
  /** For requests over HTTP; null: none. A mail server is reached directly. */
  proxy?: EgressProxy | null;
}

const MOST_ANSWER_BYTES = 65_536;
const TOO_MANY = 429;

export interface Post {
  url: string;
  body: string;
  headers?: Record<string, string>;
  /** The operator set the address. */
  allowPrivate?: boolean;
}

/** Posts JSON. An answer that does not come is a failure that may pass. `details` reads the provider's words. */
export async function post(
  network: ChannelNetwork,
  { url, body, headers = {}, allowPrivate = false }: Post,
  provider: string,
  details: (answer: EgressAnswer) => Details = () => ({}),
): Promise<SendResult> {
  try {
    const answer = await egressRequest(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
      // A receiver that answers at length has the message all the same.
      maxBytes: MOST_ANSWER_BYTES,
      isCutAllowed: true,
      timeoutMs: network.timeoutMs,
      allowedRanges: network.allowedRanges,
      proxy: network.proxy ?? null,
      allowPrivate,
    });
    const words = details(answer);
    return resultOf(answer, provider, { isTaken: provider === WEBHOOK || !isPage(answer), ...words });
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const { message, mayHaveArrived } = error;
    if (!mayHaveArrived) return { outcome: 'failed', detail: `${provider} was not reached: ${message}.` };
    const detail = `${provider} did not confirm the message: ${message}. It may have arrived, so it may come twice.`;
    return { outcome: 'failed', detail, mayHaveArrived };
  }
}

export interface Details {
  /** The provider's own explanation, shown to the user. */
  text?: string | undefined;
  retryAfterSeconds?: number | undefined;
  /** False: the answer is not the provider's own, whatever its status. */
  isTaken?: boolean | undefined;
  /** The id that the provider gave the destination instead of the one in the request. */
  movedTo?: string | undefined;
}

/** Whoever writes the receiver of a webhook decides what it answers. */
export const WEBHOOK = 'The webhook';

/** No provider answers with a page of HTML, but a captive portal or a proxy does. Slack calls its "ok" HTML. */
const isPage = ({ body }: EgressAnswer): boolean =>
  /^\s*<(?:!doctype|html|\?xml)\b/i.test(body.toString('utf8', 0, 100));

/** 2xx is delivered; 408, 425, 429 and 5xx may pass; a redirect and any other status do not. */
function resultOf(
  { status, retryAfterSeconds }: Pick<EgressAnswer, 'status' | 'retryAfterSeconds'>,
  provider: string,
  { text, retryAfterSeconds: told, movedTo, isTaken = true }: Details = {},
): SendResult {
  const words = text === undefined || text === '' ? '' : `: ${printableText(text, 200)}`;
  const detail = `${provider} answered ${String(status)}${words}.`;
  const isGood = status >= 200 && status < 300;
  if (isGood && !isTaken) return { outcome: 'failed', detail: notTaken(provider, status) };
  if (isGood) return { outcome: 'delivered', detail: `${provider} took the message.` };
  if (status !== TOO_MANY && status !== 408 && status !== 425 && status < 500)
    return { outcome: 'refused', detail, ...(movedTo !== undefined && { movedTo }) };
  const wait = told ?? retryAfterSeconds;
  return { outcome: 'failed', detail, ...(wait != null && { retryAfterSeconds: wait }) };
}

const notTaken = (provider: string, status: number): string =>
  `Something answered ${String(status)} in the place of ${provider}: a proxy or a sign-in page of the network. The message will be sent again.`;

/** Returns a field of a JSON answer; undefined when it is no JSON or has no such field. */
export function fieldOf({ body }: EgressAnswer, ...path: string[]): unknown {
  try {
    let value: unknown = JSON.parse(body.toString());
    for (const name of path)
      value =
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined;
    return value;
  } catch {
    return undefined;
  }
}
