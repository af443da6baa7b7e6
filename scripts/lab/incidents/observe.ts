import { setTimeout } from 'node:timers/promises';
import type { Alert, AlertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import type { CauseAnswer } from '@plimsoll/contract/wire/causes';
import type { Change, ChangesAnswer } from '@plimsoll/contract/wire/changes';
import type { IncidentAnswer } from '@plimsoll/contract/wire/alerts/incidents';
import { type Incident, isHealthy } from './incident.ts';
import type { Installation } from './installation.ts';
import type { RunResult, Said } from './results.ts';
import { type Accused, accusedBy, score } from './score.ts';

const POLL_MS = 3000;
/** Waits for an alert and its incident at most so long. */
const ALERT_SECONDS = 210;
/** A healthy stretch is watched so long. */
const HEALTHY_SECONDS = 150;
/** The first question comes so long after the incident opened. */
const EARLY_SECONDS = 20;
/** The second question comes so long after the first: later symptoms have shown by then. */
const LATE_SECONDS = 45;

export interface Watch {
  installation: Installation;
  /** Returns true if an alert belongs to the run. */
  isOwn: (alert: Alert) => boolean;
  namespace: string | null;
  place: RunResult['place'];
  /** Names what events or the journal name at the end of the run. */
  baseline: (since: Date) => Promise<Accused[]>;
}

async function ownAlerts({ installation, isOwn }: Watch, since: Date): Promise<Alert[]> {
  const answer = await installation.get<AlertsAnswer>('/api/data/notifications?limit=200');
  return (answer?.alerts ?? []).filter((alert) => alert.timestamp * 1000 >= since.getTime() && isOwn(alert));
}

const incidentsOf = (alerts: Alert[]): string[] => [
  ...new Set(alerts.flatMap(({ incident }) => (incident === null ? [] : [incident.incident_id]))),
];

/** Waits until the first incident opens, at most `seconds`. Returns null if none did. */
async function untilIncident(watch: Watch, since: Date, seconds: number): Promise<Date | null> {
  const deadline = Date.now() + seconds * 1000;
  while (Date.now() < deadline) {
    if (incidentsOf(await ownAlerts(watch, since)).length > 0) return new Date();
    await setTimeout(POLL_MS);
  }
  return null;
}

/** Returns the answers about all incidents of the run, by incident. */
async function ask(watch: Watch, since: Date): Promise<Map<string, CauseAnswer | null>> {
  const answers = new Map<string, CauseAnswer | null>();
  for (const id of incidentsOf(await ownAlerts(watch, since)))
    answers.set(id, await watch.installation.get<CauseAnswer>(`/api/incidents/${id}/cause`));
  return answers;
}

async function describe(
  { installation }: Watch,
  id: string,
  early: CauseAnswer | null,
  late: CauseAnswer | null,
): Promise<Said> {
  const found = await installation.get<IncidentAnswer>(`/api/incidents/${id}`);
  // A run without evidence still has its score.
  const evidence = await installation.get(`/api/incidents/${id}/evidence`).catch(() => null);
  const { title = '', opened_at: openedAt = '' } = found?.incident ?? {};
  return { incidentId: id, title, openedAt, early, late, evidence };
}

const accusedIn = (answers: Iterable<CauseAnswer | null>): Accused[] =>
  [...answers].flatMap((answer) => (answer === null ? [] : accusedBy(answer)));

/** Returns true if an answer names the entry of the ledger that the author named; null: none was to be named. */
function namesChange(incident: Incident<never>, answers: CauseAnswer[], changes: Change[]): boolean | null {
  const wanted = incident.causes.flatMap(({ change }) => (change === null ? [] : [change]));
  if (wanted.length === 0) return null;
  const named = new Set(
    answers.flatMap(({ causes }) => causes.flatMap(({ change_id: id }) => (id === null ? [] : [id]))),
  );
  const hits = changes.filter(({ id }) => named.has(id));
  return wanted.every(({ kind, name }) => hits.some((one) => one.kind === kind && one.name === name));
}

/** Injects, waits for the product, asks it twice, and returns the result of the run. */
export async function observe<Place>(
  incident: Incident<Place>,
  place: Place,
  watch: Watch,
  round: number,
): Promise<RunResult> {
  const since = new Date();
  await incident.inject(place);
  const seenAt = await untilIncident(watch, since, isHealthy(incident) ? HEALTHY_SECONDS : ALERT_SECONDS);
  if (seenAt !== null) await setTimeout(EARLY_SECONDS * 1000);
  const early = await ask(watch, since);
  if (seenAt !== null) await setTimeout(LATE_SECONDS * 1000);
  const late = await ask(watch, since);
  const ids = [...new Set([...early.keys(), ...late.keys()])];
  const said: Said[] = [];
  for (const id of ids) said.push(await describe(watch, id, early.get(id) ?? null, late.get(id) ?? null));
  const ledger = await watch.installation.get<ChangesAnswer>('/api/changes?limit=200');
  const changes = (ledger?.changes ?? []).filter(({ at }) => Date.parse(at) >= since.getTime() - 120_000);
  const { causes, related = [], decoy, isReplayed = false, name, fault } = incident;
  const truth = { causes, related, namespace: watch.namespace };
  const accused = { early: accusedIn(early.values()), late: accusedIn(late.values()) };
  const answered = [...late.values()].flatMap((answer) => (answer === null ? [] : [answer]));
  const hasCall = ids.length === 0 || answered.length > 0;
  const named = await watch.baseline(since);
  return {
    incident: name,
    round,
    place: watch.place,
    fault,
    causes,
    related,
    decoy,
    isReplayed,
    namespace: watch.namespace,
    injectedAt: since.toISOString(),
    endedAt: new Date().toISOString(),
    secondsToIncident: seenAt === null ? null : Math.round((seenAt.getTime() - since.getTime()) / 1000),
    said,
    accused,
    scores: hasCall ? { early: score(accused.early, truth), late: score(accused.late, truth) } : null,
    baseline: { named, score: score(named, truth) },
    isChangeNamed: hasCall ? namesChange(incident, answered, changes) : null,
    changes,
    commit: watch.installation.commit,
  };
}
