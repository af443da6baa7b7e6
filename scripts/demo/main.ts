import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '@plimsoll/contract/rules/durations';
import { randomBytes } from 'node:crypto';
import { TREND_STEP_SECONDS } from '@plimsoll/contract/rules/host-metrics/disk-forecast';
import { CONTAINER_HISTORY } from '@plimsoll/contract/rules/limits';
import { createLocalAccount } from '../../api/src/accounts/local.ts';
import { ownerOf } from '../../api/src/tenancy/owner.ts';
import { hashToken, newToken } from '../../api/src/accounts/tokens.ts';
import { loadConfig } from '../../api/src/config.ts';
import { openStorage } from '../../api/src/deps.ts';
import { endOwnPostmasters } from '../../api/src/database/embedded/own-postmasters.ts';
import { serve } from '../../api/src/serve.ts';
import { onInputEnd, onStopSignal } from '../../api/src/stop-signals.ts';
import { issueEnrolmentToken } from '../../api/src/servers/enrol.ts';
import { recordDays } from '../../api/src/status-pages/record-days.ts';
import { createLogger } from '../../api/src/telemetry/logger.ts';
import { addDeployMarks } from './changes.ts';
import { measureServers } from '../../api/src/capacity/measure-servers.ts';
import { planClusters } from '../../api/src/capacity/make-plans.ts';
import { fillCapacity } from './capacity.ts';
import { createDemoChecks } from './checks.ts';
import { createHistory, type History } from './history.ts';
import { postTo, reportForEver } from './live.ts';
import { enrolHosts, enrolNodes, sendListing, type DemoCluster } from './machines.ts';
import { CLUSTERS } from './fleet.ts';
import { storiesAt, type Stories } from './stories.ts';
import { createDemoMaintenance } from './maintenance.ts';
import { publishStatusPage } from './status-page.ts';
import { fillUsageHistory } from './usage-history.ts';
import { ownOrganisationOf } from '../../api/src/tenancy/ids.ts';
import { lapseOn, type Lapse } from './lapse.ts';
import { FORECAST_MINUTES, LAPSE_MINUTES, playStories, type World } from './play-stories.ts';

/** Runs the API with an invented fleet, as `npm start -- --demo` starts it. */

const HISTORY_DAYS = 14;
/** Written before the API listens: what the first screens show. The rest follows in the background. */
const FIRST_HOURS = 26;
const RAW_DAYS = 7;
const SIGN_IN_MS = 24 * HOUR_SECONDS * 1000;
export const DEMO_EMAIL = 'demo@example.org';

async function enrolFleet({ deps, clock, post }: Lapse, stories: Stories): Promise<World> {
  const start = stories.now - HISTORY_DAYS * DAY_SECONDS;
  clock.ms = start * 1000;
  const { accounts, enrolmentTokens, kubernetes } = deps.storage;
  const { id: personId } = await createLocalAccount(
    { accounts, clock },
    { email: DEMO_EMAIL, password: randomBytes(24).toString('base64url'), name: 'Demo' },
  );
  const owner = ownerOf(ownOrganisationOf(personId));
  const { token } = await issueEnrolmentToken({ enrolmentTokens, clock }, owner, { createdBy: personId });
  const machines = await enrolHosts(post, token);
  const clusters: DemoCluster[] = [];
  for (const cluster of CLUSTERS) {
    const secret = newToken('cluster');
    const entry = { owner, tokenHash: hashToken(secret), name: cluster.name, lastFour: secret.slice(-4) };
    await kubernetes.tokens.create({ ...entry, expiresUnusedAt: null, createdBy: personId }, clock.now());
    const of: DemoCluster = { cluster, token: secret, seq: 0, reportedAt: start };
    await sendListing(post, of, start, stories);
    machines.push(...(await enrolNodes(post, of)));
    clusters.push(of);
  }
  return { personId, machines, clusters };
}

/** Fills the older history in steps of a day, the newest first. */
async function fillOlder(history: History, firstFrom: number, now: number): Promise<void> {
  const oldest = Math.floor((now - HISTORY_DAYS * DAY_SECONDS) / HOUR_SECONDS) * HOUR_SECONDS;
  for (let to = firstFrom; to > oldest; to -= DAY_SECONDS) {
    const range = { from: Math.max(oldest, to - DAY_SECONDS), to };
    await history.addRollups(range);
    if (now - to < RAW_DAYS * DAY_SECONDS) await history.addSamples(range);
  }
  await history.close();
}

/** The start passes lines on that begin so. */
const say = (line: string): void => void process.stdout.write(`Plimsoll demo: ${line}\n`);

async function main(): Promise<void> {
  // A signal while the history is written ends the database alone.
  let stopDemo = endOwnPostmasters;
  const end = (): void =>
    void stopDemo().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  onStopSignal(end);
  if (process.argv.includes('--end-with-input')) onInputEnd(end);
  const config = loadConfig();
  const log = createLogger(config.log);
  const begun = performance.now();
  const seconds = (): string => ((performance.now() - begun) / 1000).toFixed(1);
  const opened = await openStorage(config, log);
  const stories = storiesAt(Math.floor(Date.now() / 1000));
  const lapse = lapseOn(opened);
  const { maintenance, signInCodes } = opened.storage;
  await maintenance.makePartitions((stories.now - (HISTORY_DAYS - 2) * DAY_SECONDS) * 1000);
  await maintenance.makePartitions(stories.now * 1000);
  say(`database ready after ${seconds()} s; enrolling 30 servers`);
  const world = await enrolFleet(lapse, stories);
  const history = await createHistory(opened.connection, {
    organisationId: ownOrganisationOf(world.personId),
    machines: world.machines,
    stories,
  });
  const first = Math.floor((stories.now - FIRST_HOURS * HOUR_SECONDS) / HOUR_SECONDS) * HOUR_SECONDS;
  const hour = Math.floor(stories.now / HOUR_SECONDS) * HOUR_SECONDS;
  // The half hour in which the forecast begins is left to it: a trend is computed only where a new point is stored.
  const forecastFrom = stories.now - FORECAST_MINUTES * MINUTE_SECONDS;
  await history.addFilesystems({
    from: hour - HISTORY_DAYS * DAY_SECONDS,
    to: forecastFrom - (forecastFrom % TREND_STEP_SECONDS),
  });
  const day = { from: stories.now - (stories.now % CONTAINER_HISTORY.stepSeconds) - DAY_SECONDS, to: forecastFrom };
  await history.addContainers(day);
  await history.addRollups({ from: first, to: hour });
  await history.addSamples({ from: hour - HOUR_SECONDS, to: stories.now - LAPSE_MINUTES * MINUTE_SECONDS });
  await history.setProgress(hour);
  say(`a day of history after ${seconds()} s`);
  await playStories(lapse, world, stories);
  const { storage } = opened;
  await addDeployMarks(lapse.deps, ownerOf(ownOrganisationOf(world.personId)), stories);
  await fillCapacity(opened.connection, stories.now);
  await planClusters(storage.capacityPlans, Date.now());
  lapse.clock.ms = (stories.now - HISTORY_DAYS * DAY_SECONDS) * 1000;
  await createDemoChecks({ deps: lapse.deps, personId: world.personId, machines: world.machines, stories });
  lapse.clock.ms = stories.now * 1000;
  await createDemoMaintenance({ deps: lapse.deps, personId: world.personId, machines: world.machines });
  await publishStatusPage({ storage, personId: world.personId, machines: world.machines, stories });
  await lapse.deps.readThread.close();
  await lapse.deps.storage.close();
  say(`stories told after ${seconds()} s`);
  const { origin, stop } = await serve(config, log, opened);
  const code = newToken('code');
  const account = { codeHash: hashToken(code), personId: world.personId, bindingHash: null };
  await signInCodes.create({ ...account, expiresAt: Date.now() + SIGN_IN_MS }, Date.now());
  process.stdout.write(`Sign in: ${origin}/auth/callback#access_token=${code}\n`);
  say(`demo ready after ${seconds()} s; older history follows`);
  const live = reportForEver(origin, world, stories);
  const fillHistory = async (): Promise<void> => {
    await Promise.all([
      fillOlder(history, first, stories.now),
      fillUsageHistory(postTo(origin), world.clusters, stories, HISTORY_DAYS),
    ]);
    // The job of the product counts days that no report can change any more only once.
    await recordDays(storage.serverDays, Date.now(), HISTORY_DAYS + 1);
    await measureServers(storage.serverUsages, Date.now(), 0);
    say(`14 days of history after ${seconds()} s`);
  };
  fillHistory().catch((error: unknown) => log.error({ err: error }, 'the older history of the demo is incomplete'));
  stopDemo = () => {
    live.stop();
    return stop();
  };
}

await main();
