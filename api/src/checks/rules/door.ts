import type { Probe } from '@plimsoll/contract/wire/check-probes';
import { hostOf } from './check-target.ts';

/** The target of a probe: host in lower case, port, path of a URL. */
export interface Entrance {
  host: string;
  port: number;
  path: string;
}

/** Returns null for a probe that enters nothing: the record of a name says nothing about what serves it. */
export function entranceOf(probe: Probe): Entrance | null {
  const host = hostOf(probe).replace(/\.$/, '');
  if (probe.kind === 'dns' || host === '') return null;
  if (probe.kind !== 'http') return { host, port: probe.port, path: '/' };
  const url = URL.parse(probe.url);
  if (url === null) return null;
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { host, port, path: url.pathname };
}

const RULE = /^rules\.([^/]*)(\/.*)$/;
const BACKEND = /^Service (.{1,253}):/;

/**
 * Returns the Services to which an Ingress sends a request: those of its longest path that fits, of the exact host before
 * a wildcard. `fields` as the collector describes an Ingress: "rules.shop.example.net/api" → "Service orders:80".
 */
export function backendsOf(fields: Readonly<Record<string, string>>, { host, path }: Entrance): string[] {
  const wildcard = `*${host.slice(Math.max(0, host.indexOf('.')))}`;
  const fitting = Object.entries(fields).flatMap(([field, value]) => {
    const [, ruleHost, rulePath] = RULE.exec(field) ?? [];
    const service = BACKEND.exec(value)?.[1];
    if (ruleHost === undefined || rulePath === undefined || service === undefined) return [];
    const rank = [host, wildcard].indexOf(ruleHost.toLowerCase());
    return rank >= 0 && isBelow(path, rulePath) ? [{ service, rank, length: rulePath.length }] : [];
  });
  const [best] = fitting.toSorted((a, b) => a.rank - b.rank || b.length - a.length);
  if (best === undefined) return [];
  const equal = fitting.filter(({ rank, length }) => rank === best.rank && length === best.length);
  return [...new Set(equal.map(({ service }) => service))];
}

/** A path of a rule is a prefix by whole segments, as pathType Prefix has it. */
const isBelow = (path: string, prefix: string): boolean =>
  path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
