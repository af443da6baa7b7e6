/** Reads what programs and Kubernetes say. All texts come from strangers: they are searched, never trusted. */

/** A reader of a text is spared more than this. */
const LONGEST = 300;
export const quoted = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)} …` : line;
};

interface Saying {
  text: string;
  at: number | null;
}
/** A line of evidence with what a program or the cluster said. */
export const quote = (said: Saying | { message: string; lastAt: number } | undefined): Saying | undefined =>
  said && ('text' in said ? { text: quoted(said.text), at: said.at } : { text: quoted(said.message), at: said.lastAt });

/** The name could not be resolved: by the resolver's own word, or by the words of a client. */
const UNKNOWN_NAME =
  /ENOTFOUND|no such host|NXDOMAIN|could not translate host name|getaddrinfo|Name or service not known|unknown host|UnknownHostException|bad address|could not resolve host|can't resolve/i;
/** The resolver itself did not answer. */
const NO_RESOLVER =
  /EAI_AGAIN|Temporary failure in name resolution|server misbehaving|lookup .{1,200}(?:i\/o timeout|connection refused)|:53: (?:i\/o timeout|read|connect)|no servers could be reached|SERVFAIL/i;
export const isUnresolved = (text: string): boolean => UNKNOWN_NAME.test(text) || NO_RESOLVER.test(text);
export const isResolverSilent = (text: string): boolean => NO_RESOLVER.test(text);

/** Nothing answers: packets are dropped, as a policy or a lost node does. */
const NO_ANSWER = /ETIMEDOUT|timed? ?out|deadline exceeded|EHOSTUNREACH|no route to host|ENETUNREACH|unreachable/i;
export const isUnanswered = (text: string): boolean => NO_ANSWER.test(text);
const REFUSED = /ECONNREFUSED|connection refused|ECONNRESET|connection reset|could not connect|socket hang up/i;
const isRefused = (text: string): boolean => REFUSED.test(text);
export const isCallError = (text: string): boolean => isUnresolved(text) || isUnanswered(text) || isRefused(text);

const HOST = String.raw`([a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?(?:\.[a-z0-9-]{1,63}){0,6})`;
const RESOLVED = [
  new RegExp(String.raw`(?:ENOTFOUND|EAI_AGAIN)[ :]+"?${HOST}`, 'gi'),
  new RegExp(String.raw`lookup "?${HOST}"?`, 'gi'),
  new RegExp(String.raw`host ?name "?'?${HOST}`, 'gi'),
  new RegExp(String.raw`(?:resolve(?: host)?|bad address|unknown host|UnknownHostException)[: ]+"?'?${HOST}`, 'gi'),
  new RegExp(String.raw`getaddrinfo (?:\w+ )?(?:for )?"?'?${HOST}`, 'gi'),
];
const NO_NAMES = new Set(['for', 'host', 'name', 'failed', 'enotfound', 'eai_again', 'localhost', 'address', 'error']);
/** Names that the text says could not be resolved. */
export const unresolvedNames = (text: string): string[] =>
  isUnresolved(text)
    ? [
        ...new Set(
          RESOLVED.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name.toLowerCase())).filter(
            (name) => name !== '' && !NO_NAMES.has(name),
          ),
        ),
      ]
    : [];

/** "orders:8080", "http://orders.shop.svc:8080/": hosts with a port that the text names. */
const ADDRESS = new RegExp(String.raw`(?:^|[\s/@"'=(])${HOST}:(\d{2,5})(?!\d)`, 'gi');
export const addressesIn = (text: string): { host: string; port: number }[] =>
  [...text.matchAll(ADDRESS)].flatMap(([, host = '', port = '']) =>
    /^[\d.]+$/.test(host) || Number(port) > 65_535 ? [] : [{ host: host.toLowerCase(), port: Number(port) }],
  );
/** "10.20.0.9:9000", "db.example.com:5432", "db:5432". A time of day and a line of a source file are none. */
const PEER =
  /(?<![\w.:-])(\[[\da-f:]{2,45}\]|\d{1,3}(?:\.\d{1,3}){3}|[a-z][a-z0-9-]{0,62}(?:\.[a-z0-9-]{1,63}){0,6}):(\d{2,5})(?!\d|:\d)/gi;
const OWN = /^(?:127\.|0\.0\.0\.0|\[::1?\]|localhost)/i;
const SOURCE_FILE = /\.(?:[cm]?[jt]sx?|py|go|rb|java|kt|rs|php|cs?|cc|cpp|h)$/i;
/** Without a domain only a usual port makes a word a host: "errno:111". */
const isHost = (host: string, port: string): boolean =>
  !OWN.test(host) && !SOURCE_FILE.test(host) && (/[.\]]/.test(host) || port.length > 3 || /^(?:80|443)$/.test(port));
/** The first other machine of a text about a failed call, as host and port. */
export const peerIn = (text: string): string | null =>
  isCallError(text)
    ? ([...text.matchAll(PEER)].find(([, host = '', port = '']) => isHost(host, port))?.[0] ?? null)
    : null;
export const firstLabel = (host: string): string => host.split('.')[0] ?? host;

/** A setting that a program misses. */
const MISSING_SETTING =
  /(?:(?:is|are|was|not|must be) (?:not set|unset|missing|required|undefined|defined|empty|set)|missing|required|KeyError|no value|undefined)/i;
/** The variable or key that a text says is missing. */
export function missingSetting(text: string, names: readonly string[]): string | null {
  if (!MISSING_SETTING.test(text)) return null;
  return names.find((name) => name.length >= 3 && text.includes(name)) ?? null;
}
const SETTING = /\b([A-Z][A-Z0-9]*_[A-Z0-9_]{1,60})\b/;
export const anyMissingSetting = (text: string): string | null =>
  MISSING_SETTING.test(text) ? (SETTING.exec(text)?.[1] ?? null) : null;

/** A file that cannot be read is another matter. */
export const CERTIFICATE =
  /\bcertificate\b.{0,80}(?:expire|invalid|not (?:yet )?valid|verif)|\bx509\b|\bCERT_HAS_EXPIRED\b|\bcert(?:bot|ificate-)\S*.{0,60}(?:fail|error)|\bfailed to renew\b|TLS handshake (?:error|fail)/i;
export const RENEWAL = {
  next: 'See which one and until when it is valid, then renew it.',
  command: 'openssl s_client -connect HOST:443 | openssl x509 -noout -dates',
};
