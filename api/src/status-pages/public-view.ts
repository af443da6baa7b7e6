import {
  INCIDENT_IMPACTS,
  PUBLIC_PART_STATES,
  type PublicPageState,
  type PublicPartState,
} from '@plimsoll/contract/rules/status-page-limits';
import type { PublicIncident, PublicPart, PublicStatusPage } from '@plimsoll/contract/wire/public-status-page';
import type { Silence } from '../alerts/silence-match.ts';
import { nameOf, type FleetServer } from '../servers/fleet.ts';
import { partDays } from './part-days.ts';
import { plannedWork, type PlannedWork } from './planned-maintenance.ts';
import { incidentState, type Availability, type StatusIncident, type StatusPage } from './types.ts';

const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** A server of the page that its owner still has. */
interface Member {
  entry: FleetServer;
  availability: Availability;
}
interface Part {
  name: string;
  group: string | null;
  members: Member[];
}

export interface ViewFacts {
  /** By server id. */
  fleet: ReadonlyMap<string, FleetServer>;
  availability: ReadonlyMap<string, Availability>;
  /** Pending and active ones; empty if the page announces none. */
  silences: readonly Silence[];
  incidents: readonly StatusIncident[];
}

const NO_DATA: Availability = { days: [], isCritical: false };

/**
 * Returns the parts of a page. Servers of one group with one label are one part. A server that is gone, or that moved to
 * another account, is absent, and the numbers of the others stay.
 */
function partsOf(page: StatusPage, { fleet, availability }: ViewFacts): Part[] {
  const parts = new Map<string, Part>();
  for (const [index, { serverId, label, group }] of page.servers.entries()) {
    const entry = fleet.get(serverId);
    if (entry === undefined) continue;
    const key = label === null ? serverId : JSON.stringify([group, label]);
    const name = label ?? (page.showsNames ? nameOf(entry.server) : `Server ${String(index + 1)}`);
    const part = parts.get(key) ?? { name, group, members: [] };
    part.members.push({ entry, availability: availability.get(serverId) ?? NO_DATA });
    parts.set(key, part);
  }
  return [...parts.values()];
}

function serverState({ entry: { status, headroom }, availability }: Member): PublicPartState {
  // A stranger is not shown why a server has no figures.
  if (status === 'offline' || status === 'refused') return 'offline';
  if (status !== 'active') return 'not_reporting';
  if (availability.isCritical) return 'partly_offline';
  return headroom !== null && headroom.points <= 0 ? 'over_line' : 'operational';
}

const worstOf = (states: readonly PublicPartState[]): PublicPartState =>
  PUBLIC_PART_STATES.find((state) => states.includes(state)) ?? 'not_reporting';

/** Returns the measured state of a part. Work that was planned explains an outage. */
function measuredState({ members }: Part, inWork: ReadonlySet<string>): PublicPartState {
  const states = members.map((member) => (inWork.has(member.entry.server.id) ? 'maintenance' : serverState(member)));
  const worst = worstOf(states);
  return worst === 'offline' && states.some((state) => state !== 'offline') ? 'partly_offline' : worst;
}

const wholePercent = (value: number | null | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : null;

function figuresOf({ members }: Part): PublicPart['figures'] {
  const [first, ...others] = members;
  if (first === undefined || others.length > 0) return null;
  const {
    status,
    latest: { sample },
    lines,
  } = first.entry;
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

/** Returns the names of the parts that these servers belong to, in the order of the page. */
function namesOf(parts: readonly Part[], serverIds: readonly string[]): string[] {
  const ids = new Set(serverIds);
  return parts.filter(({ members }) => members.some(({ entry }) => ids.has(entry.server.id))).map(({ name }) => name);
}

const publicIncident = (incident: StatusIncident, parts: readonly Part[]): PublicIncident => ({
  id: incident.id,
  title: incident.title,
  impact: incident.impact,
  state: incidentState(incident),
  affects: namesOf(parts, incident.serverIds),
  started_at: iso(incident.startedAt),
  resolved_at: isoOrNull(incident.resolvedAt),
  next_update_at: isoOrNull(incident.nextUpdateAt),
  updates: incident.updates.map(({ at, state, text }) => ({ at: iso(at), state, text })),
});

function publicPart(
  part: Part,
  { page, inWork, open }: { page: StatusPage; inWork: ReadonlySet<string>; open: readonly StatusIncident[] },
): PublicPart {
  const { members } = part;
  const ids = new Set(members.map(({ entry }) => entry.server.id));
  const told = open.filter(({ serverIds }) => serverIds.some((id) => ids.has(id)));
  const impacts = INCIDENT_IMPACTS.flatMap((impact): PublicPartState[] =>
    impact !== 'none' && told.some((incident) => incident.impact === impact) ? [impact] : [],
  );
  const reportedAt = Math.max(...members.map(({ entry }) => entry.server.lastSeenAt ?? -Infinity));
  return {
    name: part.name,
    group: part.group,
    state: worstOf([measuredState(part, inWork), ...impacts]),
    reported_at: Number.isFinite(reportedAt) ? iso(reportedAt) : null,
    figures: page.showsFigures ? figuresOf(part) : null,
    ...partDays(members.map(({ availability }) => availability.days)),
  };
}

const isRunning = ({ startsAt, endsAt }: PlannedWork, now: number): boolean => startsAt <= now && now < endsAt;

/** Returns what a stranger may read of a page. Every field is named here: nothing of a server is copied as a whole. */
export function publicView(page: StatusPage, facts: ViewFacts, now: number): PublicStatusPage {
  const parts = partsOf(page, facts);
  const subjects = parts.flatMap(({ members }) =>
    members.map(({ entry: { server } }) => ({ serverId: server.id, tags: server.tags })),
  );
  const work = page.showsMaintenance ? plannedWork(facts.silences, subjects, now) : [];
  const inWork = new Set(work.flatMap((each) => (isRunning(each, now) ? each.serverIds : [])));
  const open = facts.incidents.filter(({ resolvedAt }) => resolvedAt === null);
  const shown = parts.map((part) => publicPart(part, { page, inWork, open }));
  const impacts = open.flatMap(({ impact }): PublicPartState[] => (impact === 'none' ? [] : [impact]));
  return {
    title: page.title,
    message: page.message,
    state: pageStateOf([...shown.map(({ state }) => state), ...impacts]),
    parts: shown,
    incidents: facts.incidents.map((incident) => publicIncident(incident, parts)),
    maintenance: work.map(({ startsAt, endsAt, serverIds }) => ({
      affects: namesOf(parts, serverIds),
      starts_at: iso(startsAt),
      ends_at: iso(endsAt),
    })),
    as_of: iso(now),
  };
}
