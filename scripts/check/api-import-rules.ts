import { NOUNS, VERBS, type Noun } from './api-verbs.ts';

/** The role of a file in `api/src` decides what it may import (api-role-rules.ts). */
export type Role = 'types' | 'rule' | 'store' | 'adapter' | 'verb' | 'jobs' | 'routes';

/** Verbs of another noun that a noun may call. There is no way back: the cycle check covers it. */
export const CALLS: Partial<Record<Noun, readonly Noun[]>> = {
  accounts: ['live', 'tenancy'],
  alerts: ['live', 'series', 'servers'],
  activity: ['series', 'servers'],
  changes: ['series', 'servers'],
  checks: ['accounts', 'alerts', 'live', 'servers'],
  capacity: ['kubernetes', 'servers'],
  causes: ['ai', 'live'],
  containers: ['servers'],
  'hidden-parts': ['alerts', 'live', 'servers'],
  lines: ['series', 'servers'],
  ai: ['accounts', 'causes', 'servers'],
  'external-metrics': ['alerts', 'live', 'reports', 'servers'],
  kubernetes: ['alerts', 'live', 'reports', 'series', 'servers'],
  maintenance: ['live'],
  notify: ['accounts'],
  operator: ['accounts', 'alerts', 'notify', 'servers'],
  processes: ['series', 'servers'],
  reports: ['alerts', 'checks', 'hidden-parts', 'live', 'servers'],
  series: ['servers'],
  servers: ['live', 'series'],
  'status-pages': ['alerts'],
};

const inNoun = /^api\/src\/([a-z-]+)\/(.+)$/;

/** Returns noun and role of a file in a noun's folder, null for any other file. */
export function placeOf(file: string): { noun: Noun; role: Role } | null {
  const [, folder = '', rest = ''] = inNoun.exec(file) ?? [];
  const noun = NOUNS.find((name) => name === folder);
  if (noun === undefined) return null;
  return { noun, role: roleOf(noun, rest) };
}

function roleOf(noun: Noun, rest: string): Role {
  if (/^postgres(\.ts$|\/)/.test(rest)) return 'adapter';
  if (/^routes(\.ts$|\/)/.test(rest)) return 'routes';
  if (rest === 'jobs.ts') return 'jobs';
  if (rest === 'types.ts') return 'types';
  if (rest === 'store.ts') return 'store';
  return VERBS[noun].includes(rest.replace(/\.ts$/, '')) ? 'verb' : 'rule';
}
