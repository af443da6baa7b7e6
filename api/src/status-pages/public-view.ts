import {
  INCIDENT_IMPACTS,
  PUBLIC_PART_STATES,
  type PublicPageState,
  type PublicPartState,
} from '@plimsoll/contract/rules/checks/status-page-limits';
import type { PublicIncident, PublicPart, PublicStatusPage } from '@plimsoll/contract/wire/checks/public-status-page';
import type { Silence } from '../alerts/silence-match.ts';
import { partsOf, type PagePart, type PartFacts, type PartMember } from './page-parts.ts';
import { partDays } from './part-days.ts';
import { plannedWork, type PlannedWork } from './planned-maintenance.ts';
import { incidentState, type StatusIncident, type StatusPage } from './types.ts';

const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

export interface ViewFacts extends PartFacts {
  /** Pending and active ones; empty if the page announces none. */
  silences: readonly Silence[];
  incidents: readonly StatusIncident[];
}

const worstOf = (states: readonly PublicPartState[]): PublicPartState =>
  PUBLIC_PART_STATES.find((state) => states.includes(state)) ?? 'not_reporting';

/** A check is in work with its server, too. */
const isIn = (ids: ReadonlySet<string>, { id, workServerId }: PartMember): boolean =>
  ids.has(id) || (workServerId !== null && ids.has(workServerId));

/** Returns the measured state of a part. Work that was planned explains an outage. */
function measuredState({ members }: PagePart, inWork: ReadonlySet<string>): PublicPartState {
  const states = members.map((member) => (isIn(inWork, member) ? 'maintenance' : member.state));
  const worst = worstOf(states);
  return worst === 'offline' && states.some((state) => state !== 'offline') ? 'partly_offline' : worst;
}

const wholePercent = (value: number | null | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : null;

function figuresOf({ members }: PagePart): PublicPart['figures'] {
  const [first, ...others] = members;
  if (first?.server == null || others.length > 0) return null;
  const {
    status,
    latest: { sample },
    lines,
  } = first.server;
  if (status !== 'active' || sample === null) return null;
  return {
    cpu: { value: wholePercent(sample.cpuPercent), line: lines.cpu.warning },
    memory: { value: wholePercent(sample.memoryPercent), line: lines.memory.warning },
    disk: { value: wholePercent(sample.diskPercent), line: lines.disk.warning },
  };
}

function pageStateOf(states: readonly PublicPartState[]): PublicPageState {
  const worst = worstOf(states);
  if (worst === 'offline' || worst === 'partly_offline') return 'outage';
  if (worst === 'over_line') return 'degraded';
  if (worst === 'maintenance') return 'maintenance';
  return worst === 'operational' ? 'operational' : 'unknown';
}

/** Returns the names of the parts with such a member, in the order of the page. */
const namesOf = (parts: readonly PagePart[], isOne: (member: PartMember) => boolean): string[] =>
  parts.filter(({ members }) => members.some(isOne)).map(({ name }) => name);

const affectedIds = ({ serverIds, checkIds }: StatusIncident): string[] => [...serverIds, ...checkIds];

const publicIncident = (incident: StatusIncident, parts: readonly PagePart[]): PublicIncident => ({
  id: incident.id,
  title: incident.title,
  impact: incident.impact,
  state: incidentState(incident),
  affects: namesOf(parts, ({ id }) => affectedIds(incident).includes(id)),
  started_at: iso(incident.startedAt),
  resolved_at: isoOrNull(incident.resolvedAt),
  next_update_at: isoOrNull(incident.nextUpdateAt),
  updates: incident.updates.map(({ at, state, text }) => ({ at: iso(at), state, text })),
});

function publicPart(
  part: PagePart,
  { page, inWork, open }: { page: StatusPage; inWork: ReadonlySet<string>; open: readonly StatusIncident[] },
): PublicPart {
  const { members } = part;
  const ids = new Set(members.map(({ id }) => id));
  const told = open.filter((incident) => affectedIds(incident).some((id) => ids.has(id)));
  const impacts = INCIDENT_IMPACTS.flatMap((impact): PublicPartState[] =>
    impact !== 'none' && told.some((incident) => incident.impact === impact) ? [impact] : [],
  );
  const reportedAt = Math.max(...members.map(({ server }) => server?.server.lastSeenAt ?? -Infinity));
  return {
    name: part.name,
    group: part.group,
    state: worstOf([measuredState(part, inWork), ...impacts]),
    reported_at: Number.isFinite(reportedAt) ? iso(reportedAt) : null,
    figures: page.showsFigures ? figuresOf(part) : null,
    ...partDays(members.map(({ days }) => days)),
  };
}

const isRunning = ({ startsAt, endsAt }: PlannedWork, now: number): boolean => startsAt <= now && now < endsAt;

/** Returns what a stranger may read of a page. Every field is named here: nothing of a server or check is copied as a whole. */
export function publicView(page: StatusPage, facts: ViewFacts, now: number): PublicStatusPage {
  const parts = partsOf(page, facts);
  const subjects = parts.flatMap(({ members }) =>
    members.map(({ id, server }) => ({ id, tags: server === null ? null : server.server.tags })),
  );
  const work = page.showsMaintenance ? plannedWork(facts.silences, subjects, now) : [];
  const inWork = new Set(work.flatMap((each) => (isRunning(each, now) ? each.ids : [])));
  const open = facts.incidents.filter(({ resolvedAt }) => resolvedAt === null);
  const shown = parts.map((part) => publicPart(part, { page, inWork, open }));
  const impacts = open.flatMap(({ impact }): PublicPartState[] => (impact === 'none' ? [] : [impact]));
  return {
    title: page.title,
    message: page.message,
    state: pageStateOf([...shown.map(({ state }) => state), ...impacts]),
    parts: shown,
    incidents: facts.incidents.map((incident) => publicIncident(incident, parts)),
    maintenance: work.map(({ startsAt, endsAt, ids }) => {
      const wanted = new Set(ids);
      return {
        affects: namesOf(parts, (member) => isIn(wanted, member)),
        starts_at: iso(startsAt),
        ends_at: iso(endsAt),
      };
    }),
    as_of: iso(now),
  };
}
