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
import { slowLineOf } from '../rules/wanted-alerts.ts';
import {
  barSecondsOf,
  type CheckPicture,
  firstBarAt,
  shapeBars,
  shapeDetail,
  shapeView,
  shapeVotes,
} from './shape-check.ts';

const tag = 'Checks';
const path = '/api/checks';
const params = { id: z.uuid('must be the id of a check (a UUID)').toLowerCase() };
const LATEST_MS = 3_600_000;
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
  const [states, servers, recent] = await Promise.all([
    storage.checkResults.listStates(keys),
    storage.checkResults.listPlaces(owner.organisationId),
    storage.checkResults.recent(owner, now),
  ]);
  const byCheck = Map.groupBy(recent.latestOf(keys, now - LATEST_MS), ({ checkKey }) => checkKey);
  const shown = checks.flatMap((check): CheckPicture[] => {
    const state = states.get(check.key);
    if (state === undefined) return [];
    const places = check.heartbeat === null ? placesOf(check, servers) : [];
    const rule = ruleOf(check, places.length);
    return [{ check, state, places, rule, latest: byCheck.get(check.key) ?? [] }];
  });
  return { shown, servers, recent };
}

async function detailOf(deps: Deps, owner: Owner, check: Check): Promise<CheckDetail> {
  const now = deps.clock.now();
  const { shown, servers } = await pictures(deps, owner, [check], now);
  const [picture] = shown;
  if (picture === undefined) throw notFound('Check');
  const range = { from: now - OUTAGE_DAYS * DAY_MS, to: now };
  const bars = { from: firstBarAt(check, now), stepMs: barSecondsOf(check) * 1000 };
  const [outages, planned, stretches, { rules }, served] = await Promise.all([
    deps.storage.checkResults.listOutages(check.key, range.from),
    deps.storage.maintenances.ofChecks(owner, [check.id], range),
    deps.storage.checkResults.listStretches(check.key, picture.places, bars),
    deps.alertRules.of(owner.organisationId),
    deps.storage.checkWorkloads.of(owner.organisationId, [check]),
  ]);
  const people = await deps.storage.tenancy.teams.findNames(peopleOf([check]));
  const maintenance = planned.get(check.id) ?? [];
  const votes = shapeVotes(picture, { names: servers, stretches }, now);
  const workloads = served.get(check.id) ?? [];
  return shapeDetail(picture, { outages, maintenance, people, votes, workloads, slowLineMs: slowLineOf(rules) }, now);
}

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
      // Only the page is read whole: an account may have thousands of checks.
      const { keys, counts } = await deps.storage.checkResults.listRanked(owner, { limit, offset });
      const checks = await deps.storage.checks.listByKeys(owner, keys);
      const { shown, recent } = await pictures(deps, owner, checks, now);
      return {
        checks: shown.map((picture) => ({
          ...shapeView(picture, now),
          bars: shapeBars(recent, picture.check.key, now),
        })),
        total: counts.up + counts.down + counts.unknown + counts.paused,
        summary: counts,
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
        ? checkResults.listBuckets(check.key, await placesWithResults(deps, owner, check, to), range)
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

/** Returns the places of a check, and those that it had until a change of the last hour. */
async function placesWithResults({ storage }: Deps, owner: Owner, check: Check, now: number): Promise<number[]> {
  const [servers, recent] = await Promise.all([
    storage.checkResults.listPlaces(owner.organisationId),
    storage.checkResults.recent(owner, now),
  ]);
  const latest = recent.latestOf([check.key], now - LATEST_MS).map(({ placeKey }) => placeKey);
  return [...new Set([...placesOf(check, servers), ...latest])];
}

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
