import { causeAnswer, evidenceAnswer } from '@plimsoll/contract/wire/causes';
import { expect, it } from 'vitest';
import { createOrganisationReadCall } from '../http/call-route.ts';
import { allRoutes } from '../app.ts';
import { ownerOf } from '../tenancy/owner.ts';
import { testApp } from '../testing/app.ts';
import { exampleAnswer } from '../testing/cause.ts';
import { openAlert, resolveAlert } from '../testing/notify.ts';
import { testStorage } from '../testing/postgres.ts';
import { explainDue } from './explain-due.ts';

const db = testStorage();
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

async function world() {
  const app = testApp(db.storage());
  const [user, other] = [await app.newUser(), await app.newUser()];
  const agent = await app.newAgent(user, 'web-1');
  const owner = ownerOf(user.organisationId);
  const alertId = await openAlert(db.storage(), owner, agent, app.clock.now());
  const { incidents } = await db.storage().incidents.list(owner, {}, { limit: 1, offset: 0 });
  const get = (path: string, as = user) => app.call('GET', path, as);
  return { app, user, other, agent, owner, alertId, incidentId: incidents[0]?.id ?? '', get };
}

it('computes the answer of an incident that has none, and keeps it', async () => {
  const { owner, incidentId, get, app } = await world();
  const path = `/api/incidents/${incidentId}/cause`;
  const answer = await get(path);
  expect(answer.status).toBe(200);
  expect(causeAnswer.parse(answer.json.data)).toMatchObject({ symptoms: 1 });
  expect(await db.storage().incidentCauses.get(owner, incidentId)).toEqual(answer.json.data);
  const kept = exampleAnswer();
  await db.storage().incidentCauses.save(owner, incidentId, { answer: kept, findings: [] }, app.clock.now());
  expect((await get(path)).json.data).toEqual(kept);
});

it('an alert has the answer of its incident, also when it is over', async () => {
  const { app, agent, owner, alertId, incidentId, get } = await world();
  const kept = exampleAnswer();
  await db.storage().incidentCauses.save(owner, incidentId, { answer: kept, findings: [] }, app.clock.now());
  await resolveAlert(db.storage(), agent, app.clock.now() + 1000);
  expect((await get(`/api/alerts/${alertId}/cause`)).json.data).toEqual(kept);
});

it('an alert that is older than incidents has an answer of its own', async () => {
  const { alertId, get } = await world();
  await db.sql('UPDATE alert SET incident_id = NULL WHERE id = $1', [alertId]);
  expect(causeAnswer.parse((await get(`/api/alerts/${alertId}/cause`)).json.data)).toMatchObject({ symptoms: 1 });
});

it('a foreign incident or alert is answered as an unknown one', async () => {
  const { app, other, owner, alertId, incidentId, get } = await world();
  const kept = { answer: exampleAnswer(), findings: ['secret of the other'] };
  await db.storage().incidentCauses.save(owner, incidentId, kept, app.clock.now());
  for (const [noun, id] of [
    ['incidents', incidentId],
    ['alerts', alertId],
  ] as const) {
    const foreign = await get(`/api/${noun}/${id}/cause`, other);
    const unknown = await get(`/api/${noun}/${UNKNOWN}/cause`, other);
    expect([foreign.status, foreign.json]).toEqual([404, unknown.json]);
  }
  expect((await get(`/api/incidents/${incidentId}/evidence`, other)).status).toBe(404);
});

it('the evidence comes with the answer that it gives', async () => {
  const { incidentId, alertId, get } = await world();
  const answer = await get(`/api/incidents/${incidentId}/evidence`);
  const data = evidenceAnswer.parse(answer.json.data);
  expect(data).toMatchObject({ incident_id: incidentId, answer: { symptoms: 1 } });
  expect(JSON.stringify(data.evidence)).toContain(alertId);
});

it('the job computes what is due for each organisation, with the rights of a viewer, and goes on after a failure', async () => {
  await db.sql('TRUNCATE server, incident CASCADE');
  const [first, second] = [await world(), await world()];
  const { deps, clock } = first.app;
  const routes = allRoutes(deps);
  const warned: object[] = [];
  const run = () =>
    explainDue({
      ...deps,
      storage: db.storage(),
      log: { warn: (fields: object) => void warned.push(fields) } as never,
      readCallOf: (organisationId) => {
        if (organisationId === first.user.organisationId) throw new Error('no reading');
        return createOrganisationReadCall(routes, organisationId);
      },
    });
  clock.ms = Math.max(first.app.clock.ms, second.app.clock.ms);
  expect(await run()).toEqual({ computed: 1, failed: 1 });
  expect(warned).toMatchObject([{ incidentId: first.incidentId }]);
  expect(await db.storage().incidentCauses.get(second.owner, second.incidentId)).toMatchObject({ symptoms: 1 });
  expect(await db.storage().incidentCauses.get(first.owner, first.incidentId)).toBeNull();
  expect(await run()).toEqual({ computed: 0, failed: 0 });
});
