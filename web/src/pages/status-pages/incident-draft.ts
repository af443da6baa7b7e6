import { MINUTE_MS } from '@plimsoll/contract/rules/durations';
import type { IncidentImpact } from '@plimsoll/contract/rules/checks/status-page-limits';
import type { StatusIncidentOnWire } from '@plimsoll/contract/wire/checks/status-incidents';
import type { StatusPageOnWire } from '@plimsoll/contract/wire/checks/status-pages';
import type { IncidentBody } from '../../api/status-pages.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';

export interface IncidentDraft {
  title: string;
  impact: IncidentImpact;
  /** Ids of affected servers and checks. */
  memberIds: readonly string[];
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

export const nextUpdateAt = (next: string, stored: string | null, now: number): string | null => {
  if (next === KEEP) return stored;
  return next === '' ? null : new Date(now + Number(next) * MINUTE_MS).toISOString();
};

export const incidentDraftOf = (incident: StatusIncidentOnWire | null): IncidentDraft =>
  incident === null
    ? { title: '', impact: 'partly_offline', memberIds: [], next: '30' }
    : {
        title: incident.title,
        impact: incident.impact,
        memberIds: [...incident.server_ids, ...incident.check_ids],
        next: incident.next_update_at === null ? '' : KEEP,
      };

/** Servers and checks that left the page are left out. */
export const incidentBodyOf = (
  draft: IncidentDraft,
  { servers, checks }: Pick<StatusPageOnWire, 'servers' | 'checks'>,
  stored: string | null,
  now: number,
): IncidentBody => ({
  title: draft.title.trim(),
  impact: draft.impact,
  server_ids: servers.map(({ server_id: id }) => id).filter((id) => draft.memberIds.includes(id)),
  check_ids: checks.map(({ check_id: id }) => id).filter((id) => draft.memberIds.includes(id)),
  next_update_at: nextUpdateAt(draft.next, stored, now),
});

interface PagePart {
  /** Public name, else the name that only members see. */
  name: string;
  /** Ids of its servers and checks. */
  memberIds: string[];
}

/** Returns the parts of a page as readers see them: servers and checks of one group with one public name are one. */
export function partsOf({ servers, checks }: Pick<StatusPageOnWire, 'servers' | 'checks'>): PagePart[] {
  const parts = new Map<string, PagePart>();
  const members = [
    ...servers.map(({ server_id: id, hostname: name, label, group }) => ({ id, name, label, group })),
    ...checks.map(({ check_id: id, name, label, group }) => ({ id, name, label, group })),
  ];
  for (const { id, name, label, group } of members) {
    const key = label === null ? id : JSON.stringify([group, label]);
    const words = `${label ?? name}${group === null ? '' : ` (${group})`}`;
    const part = parts.get(key) ?? { name: escapeInvisible(words), memberIds: [] };
    part.memberIds.push(id);
    parts.set(key, part);
  }
  return [...parts.values()];
}
