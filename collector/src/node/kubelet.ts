import type { IncomingMessage } from 'node:http';
import type { ReaderState } from '@plimsoll/contract/rules/kubernetes-limits';
import type { Summary } from './summary.ts';

/** Default port of the kubelet's API (kubelet configuration, `port`). */
const KUBELET_PORT = 10_250;
const TIMEOUT_MS = 10_000;
/** A node of 500 pods gives about 1.5 MB. */
const ANSWER_BYTES = 32 * 1_048_576;

export interface KubeletSettings {
  host: string;
  port?: number;
  /** Reads the CA; null: trust what the system trusts. */
  ca: string | null;
  insecureSkipVerify: boolean;
  /** Read before each request: the kubelet renews the mounted token. */
  token: () => string;
}

/** Why the kubelet gave nothing. */
export class KubeletError extends Error {
  readonly state: ReaderState;
  constructor(state: ReaderState, message: string) {
    super(message);
    this.name = 'KubeletError';
    this.state = state;
  }
}

/** Asks the kubelet of this node. Throws KubeletError. */
export async function readSummary(settings: KubeletSettings): Promise<Summary> {
  // Loaded on first use: a host agent never needs it, and it costs memory.
  const { request } = await import('node:https');
  return new Promise((resolve, reject) => {
    const { host, port = KUBELET_PORT, ca, insecureSkipVerify, token } = settings;
    const fail = (error: Error): void => reject(new KubeletError('unreachable', explain(error, insecureSkipVerify)));
    const outgoing = request(
      {
        host,
        port,
        path: '/stats/summary',
        headers: { accept: 'application/json', authorization: `Bearer ${token()}` },
        rejectUnauthorized: !insecureSkipVerify,
        ...(ca === null ? {} : { ca }),
        timeout: TIMEOUT_MS,
      },
      (answer) => void readAnswer(answer).then(resolve, reject),
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    outgoing.on('error', fail);
    outgoing.end();
  });
}

async function readAnswer(answer: IncomingMessage): Promise<Summary> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES) throw new KubeletError('down', `the kubelet answered more than ${ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  const status = answer.statusCode ?? 0;
  if (status === 401) throw new KubeletError('forbidden', 'the kubelet does not accept our service account token');
  if (status === 403) throw new KubeletError('forbidden', 'forbidden: needs nodes/stats get');
  if (status !== 200) throw new KubeletError('down', `the kubelet answered ${status}`);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Summary;
  } catch {
    throw new KubeletError('down', 'the kubelet answered something that is not JSON');
  }
}

const CERTIFICATE = /certificate|self.signed|unable to verify|CERT_|altname/i;
function explain(error: Error, insecureSkipVerify: boolean): string {
  const code = (error as { code?: unknown }).code;
  const words = typeof code === 'string' ? `${code}: ${error.message}` : error.message;
  if (insecureSkipVerify || !CERTIFICATE.test(words)) return `kubelet: ${words}`;
  return `kubelet certificate not trusted (${words}): let the cluster sign it (serverTLSBootstrap) or set nodeAgent.kubelet.certificateAuthority`;
}
