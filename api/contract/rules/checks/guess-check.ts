/** Returns the check that a pasted address stands for. No zod: the browser shows the guess while one types. */

import { asciiHost, isHost } from './host-name.ts';

export type GuessedProbe =
  | { kind: 'http'; url: string }
  | { kind: 'tcp'; host: string; port: number }
  | { kind: 'tls'; host: string; port: number }
  | { kind: 'dns'; host: string };
export interface Guess {
  /** A name for the list. */
  name: string;
  probe: GuessedProbe;
}

/** Ports whose servers speak TLS from the first byte, and no HTTP. */
const TLS_PORTS = [465, 636, 853, 989, 990, 993, 995, 5061, 6697, 8883];
const HTTPS_PORTS = [443, 8443, 9443];
const HTTP_PORTS = [80, 3000, 8000, 8080, 8888];
const HOST = /^(?:[a-z\d](?:[\w-]{0,61}[a-z\d])?\.)*[a-z\d](?:[\w-]{0,61}[a-z\d])?\.?$/i;

/**
 * Returns the check that a pasted address means: "https://shop.example.net/health", "shop.example.net",
 * "db.example.net:5432", "tcp://…", "tls://…", "dns:…". Null: it is no address.
 */
export function guessCheck(text: string): Guess | null {
  const given = text.trim().replace(/^<|>$/g, '');
  if (given === '' || given.length > 2048 || /\s/.test(given)) return null;
  const [, scheme = '', rest = ''] = /^(https?|tcp|tls|ssl|dns):(?:\/\/)?(.+)$/i.exec(given) ?? [];
  switch (scheme.toLowerCase()) {
    case 'http':
    case 'https':
      return webGuess(given);
    case 'dns': {
      const host = asciiHost(rest.replace(/\/$/, ''));
      return HOST.test(host) ? { name: `${host} DNS`, probe: { kind: 'dns', host } } : null;
    }
    case 'tcp':
    case 'tls':
    case 'ssl': {
      const kind = scheme.toLowerCase() === 'tcp' ? 'tcp' : 'tls';
      const place = hostAndPort(rest.replace(/\/$/, ''), kind === 'tls' ? 443 : null);
      return (
        place && {
          name: `${place.host} ${kind === 'tls' ? 'TLS' : `port ${String(place.port)}`}`,
          probe: { kind, ...place },
        }
      );
    }
    default:
      return bareGuess(given);
  }
}

function webGuess(text: string): Guess | null {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hostname === '') return null;
  return {
    name: `${url.hostname} ${url.protocol === 'https:' ? 'HTTPS' : 'HTTP'}`,
    probe: { kind: 'http', url: url.href },
  };
}

/** Returns the check of an address without a scheme. A host alone is a web site; a port says more. */
function bareGuess(text: string): Guess | null {
  // An IPv6 address needs brackets in a URL, and people paste it without.
  if (text.split(':').length > 2 && text !== '::' && isHost(text)) return bareGuess(`[${text}]`);
  const [authority = ''] = text.split(/[/?#]/, 1);
  const place = hostAndPort(authority, 443);
  if (place === null) return null;
  const { host, port } = place;
  const hasPath = text !== authority;
  if (hasPath || HTTPS_PORTS.includes(port)) return webGuess(`https://${text}`);
  if (HTTP_PORTS.includes(port)) return webGuess(`http://${text}`);
  if (TLS_PORTS.includes(port)) return { name: `${host} TLS`, probe: { kind: 'tls', host, port } };
  return { name: `${host} port ${String(port)}`, probe: { kind: 'tcp', host, port } };
}

function hostAndPort(text: string, fallback: number | null): { host: string; port: number } | null {
  const six = /^\[([\da-f:.]+)\](?::(\d{1,5}))?$/i.exec(text);
  const [name = '', digits] = six === null ? text.split(':') : [six[1] ?? '', six[2]];
  const host = asciiHost(name);
  if (six === null && text.split(':').length > 2) return null;
  if (digits !== undefined && !/^\d{1,5}$/.test(digits)) return null;
  const port = digits === undefined ? fallback : Number(digits);
  if (port === null || port < 1 || port > 65_535) return null;
  return (six === null ? HOST.test(host) : isHost(host)) ? { host, port } : null;
}
