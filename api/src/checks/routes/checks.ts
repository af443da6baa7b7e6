import { DAY_MS } from '@plimsoll/contract/rules/durations';
import {
  checkAnswer,
  checkHours,
  checkCreatedAnswer,
  checkPreviewAnswer,
  checkPreviewRequest,
  checkRequest,
  checksAnswer,
  checkSeriesAnswer,
  type CheckDetail,
} from '@plimsoll/contract/wire/checks/checks';
import { page } from '@plimsoll/contract/wire/query';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { iso } from '../../http/units.ts';
import { peopleOf } from '../../tenancy/creator.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { createCheck } from '../create-check.ts';
import { deleteCheck } from '../delete-check.ts';
import { previewCheck } from '../preview-check.ts';
import { placesOf } from '../rules/check-places.ts';
import { resolutionOf } from '../rules/series-resolution.ts';
import { ruleOf } from '../judge-checks.ts';
import type { Check } from '../types.ts';
import { updateCheck } from '../update-check.ts';
import { type CheckPicture, shapeBars, shapeDetail, shapeView, shapeVotes } from './shape-check.ts';

const tag = 'Checks';
const path = '/api/checks';
const params = { id: z.uuid('must be the id of a check (a UUID)').toLowerCase() };
const LATEST_MS = 3_600_000;
const BARS_MS = 90 * 60_000;
const OUTAGE_DAYS = 90;

export const checkRoutes = (deps: Deps): Route[] => [
  listChecks(deps),
  createRoute(deps),
  previewRoute(deps),
  getRoute(deps),
  seriesRoute(deps),
  updateRoute(deps),
  deleteRoute(deps),
];

/** Returns what is known of these checks of one owner now. */
async function pictures({ storage }: Deps, owner: Owner, checks: readonly Check[], now: number) {
  const keys = checks.map(({ key }) => key);
  const [states, servers, latest] = await Promise.all([
    storage.checkResults.listStates(keys),
    storage.checkResults.listPlaces(owner.organisationId),
    storage.checkResults.listLatest(keys, now - LATEST_MS),
  ]);
  const byCheck = Map.groupBy(latest, ({ checkKey }) => checkKey);
  const shown = checks.flatMap((check): CheckPicture[] => {
    const state = states.get(check.key);
    if (state === undefined) return [];
    const places = check.heartbeat === null ? placesOf(check, servers) : [];
    const rule = ruleOf(check, places.length);
    return [{ check, state, places, rule, latest: byCheck.get(check.key) ?? [] }];
  });
  return { shown, servers };
}

async function detailOf(deps: Deps, owner: Owner, check: Check): Promise<CheckDetail> {
  const now = deps.clock.now();
  const { shown, servers } = await pictures(deps, owner, [check], now);
  const [picture] = shown;
  if (picture === undefined) throw notFound('Check');
  const range = { from: now - OUTAGE_DAYS * DAY_MS, to: now };
  const [outages, planned] = await Promise.all([
    deps.storage.checkResults.listOutages(check.key, range.from),
    deps.storage.maintenances.ofChecks(owner, [check.id], range),
  ]);
  const people = await deps.storage.tenancy.teams.findNames(peopleOf([check]));
  const maintenance = planned.get(check.id) ?? [];
  return shapeDetail(picture, { outages, maintenance, people, votes: shapeVotes(picture, servers, now) }, now);
}

const RANK = { down: 0, unknown: 1, up: 2, paused: 3 } as const;

const listChecks = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path,
      actor: 'user',
      summary: 'Lists checks and heartbeats with their state, the worst first',
      tag,
      query: page(),
      answer: checksAnswer,
    },
    async ({ actor: { owner }, query: { limit, offset } }) => {
      const now = deps.clock.now();
      const checks = await deps.storage.checks.list(owner);
      const states = await deps.storage.checkResults.listStates(checks.map(({ key }) => key));
      const statusOf = ({ key, isEnabled }: Check) =>
        isEnabled ? (states.get(key)?.fold.status ?? 'unknown') : 'paused';
      const ranked = checks.toSorted((a, b) => RANK[statusOf(a)] - RANK[statusOf(b)]);
      // Only of the page itself: results of thousands of checks are many.
      const { shown } = await pictures(deps, owner, ranked.slice(offset, offset + limit), now);
      const minutes = await deps.storage.checkResults.listMinutes(
        shown.map(({ check }) => check.key),
        now - BARS_MS,
      );
      const count = (status: string): number => checks.filter((check) => statusOf(check) === status).length;
      return {
        checks: shown.map((picture) => ({
          ...shapeView(picture, now),
          bars: shapeBars(minutes.get(picture.check.key)),
        })),
        total: checks.length,
        summary: { up: count('up'), down: count('down'), unknown: count('unknown'), paused: count('paused') },
      };
    },
  );

const createRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path,
      actor: 'user',
      summary: 'Creates a check or a heartbeat; the key of a heartbeat is shown this once',
      audit: 'check_created',
      tag,
      body: checkRequest,
      answer: checkCreatedAnswer,
    },
    async ({ actor, body }) => {
      const { check, heartbeatKey } = await createCheck(deps, actor, body);
      return { check: await detailOf(deps, actor.owner, check), heartbeat_key: heartbeatKey };
    },
  );

const previewRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: `${path}/preview`,
      actor: 'user',
      summary: 'Runs a check once from the API and returns the result; nothing is stored',
      audit: null,
      notAudited: 'It stores nothing.',
      tag,
      body: checkPreviewRequest,
      answer: checkPreviewAnswer,
    },
    async ({ body }) => ({ result: await previewCheck(deps, body.probe) }),
  );

const getRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: `${path}/:id`,
      actor: 'user',
      summary: 'Returns a check with the votes of its places, its outages and its availability',
      tag,
      params,
      answer: checkAnswer,
    },
    async ({ actor: { owner }, params: { id } }) => {
      const check = await deps.storage.checks.get(owner, id);
      if (check === null) throw notFound('Check');
      return { check: await detailOf(deps, owner, check) };
    },
  );

const seriesRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: `${path}/:id/series`,
      actor: 'user',
      summary: 'Returns the response times of a check by phase, for up to 90 days',
      tag,
      params,
      query: { hours: checkHours },
      answer: checkSeriesAnswer,
    },
    async ({ actor: { owner }, params: { id }, query }) => {
      const check = await deps.storage.checks.get(owner, id);
      if (check === null) throw notFound('Check');
      const to = deps.clock.now();
      const { source, stepMs } = resolutionOf(query.hours);
      const range = { from: Math.floor((to - query.hours * 3_600_000) / stepMs) * stepMs, to, stepMs };
      const { checkResults, checkRollups } = deps.storage;
      const rows = await (source === 'results'
        ? checkResults.listBuckets(check.key, range)
        : checkRollups.listBuckets(source, check.key, range));
      return {
        step_seconds: stepMs / 1000,
        source,
        points: rows.map((row) => ({
          time: iso(row.at),
          results: row.results,
          good: row.good,
          dns_ms: row.dns,
          connect_ms: row.connect,
          tls_ms: row.tls,
          wait_ms: row.wait,
          transfer_ms: row.transfer,
          total_ms: row.total,
          p95_ms: row.p95,
          max_ms: row.max,
        })),
      };
    },
  );

const updateRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'PUT',
      path: `${path}/:id`,
      actor: 'user',
      summary: 'Replaces a check; headers and body that are left out stay',
      audit: 'check_changed',
      tag,
      params,
      body: checkRequest,
      answer: checkAnswer,
    },
    async ({ actor, params: { id }, body }) => ({
      check: await detailOf(deps, actor.owner, await updateCheck(deps, actor, id, body)),
    }),
  );

const deleteRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'DELETE',
      path: `${path}/:id`,
      actor: 'user',
      summary: 'Deletes a check with its history',
      audit: 'check_deleted',
      tag,
      params,
      answer: z.object({}),
    },
    async ({ actor, params: { id } }) => {
      await deleteCheck(deps, actor, id);
      return {};
    },
  );
