import type { PublicPartState } from '@plimsoll/contract/rules/checks/status-page-limits';
import { nameOf, type FleetServer } from '../servers/fleet.ts';
import type { Availability, PageCheck, PartDay, StatusPage } from './types.ts';

/** A server or a check of the page that its owner still has. */
export interface PartMember {
  id: string;
  state: PublicPartState;
  days: readonly PartDay[];
  /** Null: a check. */
  server: FleetServer | null;
  /** The server whose planned work explains its outage; null: none. */
  workServerId: string | null;
}
export interface PagePart {
  name: string;
  group: string | null;
  members: PartMember[];
}

export interface PartFacts {
  /** By server id. */
  fleet: ReadonlyMap<string, FleetServer>;
  availability: ReadonlyMap<string, Availability>;
  /** By check id. */
  checks: ReadonlyMap<string, PageCheck>;
}

const NO_DATA: Availability = { days: [], isCritical: false };

function serverState({ status, headroom }: FleetServer, { isCritical }: Availability): PublicPartState {
  // A stranger is not shown why a server has no figures.
  if (status === 'offline' || status === 'refused') return 'offline';
  if (status !== 'active') return 'not_reporting';
  if (isCritical) return 'partly_offline';
  return headroom !== null && headroom.points <= 0 ? 'over_line' : 'operational';
}

const CHECK_STATES = { up: 'operational', down: 'offline', unknown: 'not_reporting' } as const;

function serverMember(id: string, { fleet, availability }: PartFacts): PartMember | null {
  const server = fleet.get(id);
  if (server === undefined) return null;
  const known = availability.get(id) ?? NO_DATA;
  return { id, state: serverState(server, known), days: known.days, server, workServerId: id };
}

function checkMember(id: string, { checks }: PartFacts): PartMember | null {
  const check = checks.get(id);
  if (check === undefined) return null;
  return { id, state: CHECK_STATES[check.status], days: check.days, server: null, workServerId: check.serverId };
}

/**
 * Returns the parts of a page. Servers and checks of one group with one label are one part. A server or check that is
 * gone, or that belongs to another account, is absent, and the numbers of the others stay. The name of a check often has a
 * host in it, so that a page never shows it.
 */
export function partsOf(page: Pick<StatusPage, 'servers' | 'checks' | 'showsNames'>, facts: PartFacts): PagePart[] {
  const chosen = [
    ...page.servers.map(({ serverId, label, group }, index) => {
      const member = serverMember(serverId, facts);
      const shown = page.showsNames && member?.server ? nameOf(member.server.server) : null;
      return { member, label, group, name: shown ?? `Server ${String(index + 1)}` };
    }),
    ...page.checks.map(({ checkId, label, group }, index) => {
      return { member: checkMember(checkId, facts), label, group, name: `Check ${String(index + 1)}` };
    }),
  ];
  const parts = new Map<string, PagePart>();
  for (const { member, label, group, name } of chosen) {
    if (member === null) continue;
    const key = label === null ? member.id : JSON.stringify([group, label]);
    const part = parts.get(key) ?? { name: label ?? name, group, members: [] };
    part.members.push(member);
    parts.set(key, part);
  }
  return [...parts.values()];
}
