import {
  maintenanceAnswer,
  maintenanceRequest,
  maintenancesAnswer,
  type MaintenanceOnWire,
} from '@plimsoll/contract/wire/checks/maintenance';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { defineRoute, type Route } from '../http/define-route.ts';
import { iso } from '../http/units.ts';
import { peopleOf, shapeCreator } from '../tenancy/creator.ts';
import { createMaintenance } from './create-maintenance.ts';
import { deleteMaintenance } from './delete-maintenance.ts';
import { recurrenceText } from './maintenance-words.ts';
import type { Maintenance, Period } from './types.ts';
import { updateMaintenance } from './update-maintenance.ts';

const tag = 'Maintenance';
const path = '/api/maintenance';
const params = { id: z.uuid('must be the id of a maintenance (a UUID)').toLowerCase() };
const SHOWN_PERIODS = 3;

interface Known {
  periods: readonly Period[];
  people: ReadonlyMap<string, string>;
  now: number;
}

function shapeMaintenance(maintenance: Maintenance, { periods, people, now }: Known): MaintenanceOnWire {
  const { schedule, serverIds, checkIds, clusterIds } = maintenance;
  const [first] = periods;
  return {
    maintenance_id: maintenance.id,
    name: maintenance.name,
    schedule: schedule.kind === 'weekly' ? { ...schedule, weekdays: [...schedule.weekdays] } : schedule,
    zone: maintenance.zone,
    duration_seconds: maintenance.durationSeconds,
    last_day: maintenance.lastDay,
    server_ids: [...serverIds],
    check_ids: [...checkIds],
    cluster_ids: [...clusterIds],
    text: recurrenceText(maintenance),
    status: first === undefined ? endedOrPlanned(maintenance, now) : first.startsAt <= now ? 'running' : 'planned',
    periods: periods.map(({ startsAt, endsAt }) => ({ starts_at: iso(startsAt), ends_at: iso(endsAt) })),
    created_by: shapeCreator(maintenance.createdBy, people),
    created_at: iso(maintenance.createdAt),
    updated_at: iso(maintenance.updatedAt),
  };
}

/** The next period of a rare schedule is further ahead than periods are planned. */
const endedOrPlanned = ({ lastDay }: Maintenance, now: number): 'ended' | 'planned' =>
  lastDay !== null && lastDay < iso(now).slice(0, 10) ? 'ended' : 'planned';

async function shapeAll({ storage, clock }: Deps, maintenances: readonly Maintenance[]): Promise<MaintenanceOnWire[]> {
  const now = clock.now();
  const ids = maintenances.map(({ id }) => id);
  const [periods, people] = await Promise.all([
    storage.maintenances.listPeriods(ids, now, SHOWN_PERIODS),
    storage.tenancy.teams.findNames(peopleOf(maintenances)),
  ]);
  return maintenances.map((one) => shapeMaintenance(one, { periods: periods.get(one.id) ?? [], people, now }));
}

async function shapeOne(deps: Deps, maintenance: Maintenance): Promise<{ maintenance: MaintenanceOnWire }> {
  const [shaped] = await shapeAll(deps, [maintenance]);
  if (shaped === undefined) throw new Error('the maintenance was not shaped');
  return { maintenance: shaped };
}

export const maintenanceRoutes = (deps: Deps): Route[] => [
  listMaintenance(deps),
  defineRoute(
    {
      method: 'POST',
      path,
      actor: 'user',
      summary: 'Creates recurring maintenance: alerts of its servers, checks and clusters are listed, but not sent',
      audit: 'maintenance_created',
      tag,
      body: maintenanceRequest,
      answer: maintenanceAnswer,
    },
    async ({ actor, body }) => shapeOne(deps, await createMaintenance(deps, actor, body)),
  ),
  defineRoute(
    {
      method: 'PUT',
      path: `${path}/:id`,
      actor: 'user',
      summary: 'Replaces recurring maintenance from its next period on',
      audit: 'maintenance_changed',
      tag,
      params,
      body: maintenanceRequest,
      answer: maintenanceAnswer,
    },
    async ({ actor, params: { id }, body }) => shapeOne(deps, await updateMaintenance(deps, actor, id, body)),
  ),
  defineRoute(
    {
      method: 'DELETE',
      path: `${path}/:id`,
      actor: 'user',
      summary: 'Ends recurring maintenance; alerts that still fire are sent at once',
      audit: 'maintenance_deleted',
      tag,
      params,
      answer: z.object({}),
    },
    async ({ actor, params: { id } }) => {
      await deleteMaintenance(deps, actor, id);
      return {};
    },
  ),
];

const listMaintenance = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path,
      actor: 'user',
      summary: 'Lists recurring maintenance with its next periods, the one that starts next first',
      tag,
      answer: maintenancesAnswer,
    },
    async ({ actor: { owner } }) => {
      const shaped = await shapeAll(deps, await deps.storage.maintenances.list(owner));
      const startOf = ({ periods: [first] }: MaintenanceOnWire): string => first?.starts_at ?? '9';
      return {
        maintenance: shaped.toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : startOf(a) > startOf(b) ? 1 : 0)),
        total: shaped.length,
      };
    },
  );
