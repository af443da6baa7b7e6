import type { IncidentImpact } from '@plimsoll/contract/rules/status-page-limits';
import type { StatusIncidentOnWire } from '@plimsoll/contract/wire/status-incidents';
import type { StatusPageOnWire } from '@plimsoll/contract/wire/status-pages';
import type { IncidentBody } from '../../api/status-pages.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';

export interface IncidentDraft {
  title: string;
  impact: IncidentImpact;
  serverIds: readonly string[];
  /** Minutes from now, '' for no promise, or KEEP. */
  next: string;
}

/** The time that the incident already has. */
export const KEEP = 'keep';
export const NEXT_UPDATES = [
  { value: '', label: 'Not promised' },
  { value: '15', label: 'In 15 minutes' },
  { value: '30', label: 'In 30 minutes' },
  { value: '60', label: 'In 1 hour' },
  { value: '120', label: 'In 2 hours' },
  { value: '240', label: 'In 4 hours' },
] as const;

const MINUTE_MS = 60_000;

export const nextUpdateAt = (next: string, stored: string | null, now: number): string | null => {
  if (next === KEEP) return stored;
  return next === '' ? null : new Date(now + Number(next) * MINUTE_MS).toISOString();
};

export const incidentDraftOf = (incident: StatusIncidentOnWire | null): IncidentDraft =>
  incident === null
    ? { title: '', impact: 'partly_offline', serverIds: [], next: '30' }
    : {
        title: incident.title,
        impact: incident.impact,
        serverIds: incident.server_ids,
        next: incident.next_update_at === null ? '' : KEEP,
      };

export const incidentBodyOf = (draft: IncidentDraft, stored: string | null, now: number): IncidentBody => ({
  title: draft.title.trim(),
  impact: draft.impact,
  server_ids: draft.serverIds,
  next_update_at: nextUpdateAt(draft.next, stored, now),
});

interface PagePart {
  /** Public name, else the name that only members see. */
  name: string;
  serverIds: string[];
}

/** Returns the parts of a page as readers see them: servers of one group with one public name are one. */
export function partsOf({ servers }: Pick<StatusPageOnWire, 'servers'>): PagePart[] {
  const parts = new Map<string, PagePart>();
  for (const { server_id: id, hostname, label, group } of servers) {
    const key = label === null ? id : JSON.stringify([group, label]);
    const words = `${label ?? hostname}${group === null ? '' : ` (${group})`}`;
    const part = parts.get(key) ?? { name: escapeInvisible(words), serverIds: [] };
    part.serverIds.push(id);
    parts.set(key, part);
  }
  return [...parts.values()];
}
