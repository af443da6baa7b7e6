import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { CHECK_LIMITS, type DnsRecordType } from '../rules/check-limits.ts';
import { cutText, printableText } from '../rules/printable-text.ts';
import type { DnsProbe, TcpProbe, TlsProbe } from '../wire/check-probes.ts';
import { certificateOf, certificateProblem } from './certificate.ts';
import { failureOf, type Opened, openSocket, startTls } from './connect.ts';
import { beforeEnd, ProbeFailure, type ProbeRun } from './probe-run.ts';

/** Connects, and reads the first line where a text is expected. Throws `ProbeFailure`. */
export async function probeTcp(run: ProbeRun, probe: TcpProbe, opened: Opened): Promise<void> {
  const { host, port, ip_version: ipVersion, expect } = probe;
  const socket = await openSocket(run, opened, { host, port, ipVersion });
  if (expect === null) return;
  run.enter('wait');
  const line = await beforeEnd(run.signal, firstLine(socket as AsyncIterable<Buffer>, expect)).catch(
    (error: unknown) => {
      throw failureOf(error, run.signal, 'reset');
    },
  );
  run.seen.answer = cutText(run.place.redact(printableText(line)), CHECK_LIMITS.firstLineCharacters);
  run.seen.text_found = line.includes(expect);
  if (!run.seen.text_found) throw new ProbeFailure('text_missing', true);
}

/** Reads up to the end of the line, or to the expected text: a prompt such as "login: " has no end. */
async function firstLine(chunks: AsyncIterable<Buffer>, expect: string): Promise<string> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, chunk]).subarray(0, CHECK_LIMITS.lineBytes);
    if (bytes.includes(10) || bytes.includes(expect) || bytes.length === CHECK_LIMITS.lineBytes) break;
  }
  return bytes.toString('utf8').split('\n', 1)[0]?.replace(/\r$/, '') ?? '';
}

/** Reads the certificate of a server that speaks TLS from the first byte. Throws `ProbeFailure`. */
export async function probeTls(run: ProbeRun, probe: TlsProbe, opened: Opened): Promise<void> {
  const { host, port, ip_version: ipVersion } = probe;
  const plain = await openSocket(run, opened, { host, port, ipVersion });
  const secure = await startTls(run, opened, plain, host);
  const now = Date.now();
  run.seen.certificate = certificateOf(secure, now);
  const problem = certificateProblem(secure, host, now);
  if (problem !== null) throw new ProbeFailure(problem);
}

/** Resolves the records of a name. Throws `ProbeFailure`. */
export async function probeDns(run: ProbeRun, probe: DnsProbe): Promise<void> {
  run.enter('dns');
  const resolve = run.place.records ?? systemRecords;
  const records = await beforeEnd(run.signal, resolve(probe.host, probe.record_type, run.signal)).catch(
    (error: unknown) => {
      if (error instanceof ProbeFailure) throw error;
      // No server answered, which says nothing about the name.
      const isSilent = (error as { code?: unknown } | null)?.code === 'ETIMEOUT';
      throw new ProbeFailure(isSilent ? 'timeout' : 'name_not_resolved');
    },
  );
  run.enter(null);
  const shown = records.toSorted().slice(0, CHECK_LIMITS.records);
  run.seen.answer = cutText(run.place.redact(printableText(shown.join(', '))), CHECK_LIMITS.textCharacters);
  if (records.length === 0) throw new ProbeFailure('name_not_resolved', true);
  if (probe.expect.length === 0) return;
  const have = new Set(records.map((record) => comparable(record, probe.record_type)));
  run.seen.text_found = probe.expect.every((record) => have.has(comparable(record, probe.record_type)));
  if (!run.seen.text_found) throw new ProbeFailure('records_missing', true);
}

/** Names have no case and may end with a dot, addresses of IPv6 have several forms, and texts are exact. */
function comparable(record: string, type: DnsRecordType): string {
  const text = record.trim();
  if (type === 'TXT') return text;
  // As `dig` prints it, the value is in quotes.
  if (type === 'CAA') return text.replaceAll('"', '');
  if (type === 'AAAA') return URL.parse(`http://[${text}]`)?.hostname ?? text;
  return text.replace(/\.$/, '').toLowerCase();
}

async function systemRecords(host: string, type: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ tries: 1 });
  signal.addEventListener('abort', () => resolver.cancel(), { once: true });
  // The names of an address are under its own name in in-addr.arpa or ip6.arpa.
  if (type === 'PTR' && isIP(host) !== 0) return resolver.reverse(host);
  const found = (await resolver.resolve(host, type as DnsRecordType)) as readonly unknown[];
  return found.map(recordText);
}

/** Returns a record as one line: "10 mail.example.com" of MX, "0 issue ca.example" of CAA, the joined pieces of TXT. */
export function recordText(record: unknown): string {
  if (typeof record === 'string') return record;
  if (Array.isArray(record)) return record.join('');
  if (typeof record === 'object' && record !== null && 'critical' in record) {
    const { critical, type: _type, ...tags } = record as Record<string, unknown>;
    const [[tag, value] = ['', '']] = Object.entries(tags);
    return `${String(critical)} ${tag} ${String(value)}`;
  }
  return Object.entries(record as Record<string, unknown>)
    .filter(([key]) => key !== 'type')
    .toSorted(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b))
    .map(([, value]) => String(value))
    .join(' ');
}
const ORDER = ['priority', 'weight', 'port', 'exchange', 'name'];
