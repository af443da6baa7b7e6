import type { LogMessage, LogRequest } from '@plimsoll/contract/wire/cluster-report';
import { POD_LOG_LIMITS as L } from '@plimsoll/contract/rules/kubernetes-limits';
import { redactText } from '@plimsoll/contract/redaction/text';
import { reasonOf } from './api-error.ts';
import { type Connection, readText } from './connection.ts';

const NEEDS = 'get pods/log';

/** Reads the last lines of a container, redacted and bounded. Never throws: a refusal is an answer, too. */
export async function readPodLog(connection: Connection, request: LogRequest): Promise<LogMessage> {
  const { id, namespace, pod, container, previous } = request;
  const query = new URLSearchParams({
    container,
    tailLines: String(L.lines),
    timestamps: 'true',
    ...(previous ? { previous: 'true' } : {}),
  });
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log?${query.toString()}`;
  try {
    const text = await readText(await connection.open({ path, accept: '*/*' }), L.readBytes);
    return { id, lines: lastLines(text), failure: null };
  } catch (error) {
    return { id, lines: [], failure: reasonOf(error, NEEDS).slice(0, 1000) };
  }
}

/** Returns the newest lines that fit the limits, oldest first. */
export function lastLines(text: string): string[] {
  const lines: string[] = [];
  let bytes = 0;
  for (const line of text.split('\n').toReversed()) {
    if (line === '') continue;
    const clean = redactText(line.slice(0, L.lineLength).replaceAll('\0', '').toWellFormed()).slice(0, L.lineLength);
    // JSON escapes control characters: the limit is on what goes over the wire.
    bytes += Buffer.byteLength(JSON.stringify(clean)) + 1;
    if (lines.length >= L.lines || bytes > L.bytes) break;
    lines.push(clean);
  }
  return lines.toReversed();
}
