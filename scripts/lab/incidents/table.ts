import { isOfFirst, isOfSecond } from './held-out.ts';
import { type Named, isHealthy } from './incident.ts';
import { REPORT_SECONDS, WAIT_DIVISOR } from './installation.ts';
import type { RunResult } from './results.ts';
import type { Accused } from './score.ts';

const GOAL = 0.7;
const MOST_ACCUSED = 4;

const words = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const figure = (value: number): string => value.toFixed(2);

const nameOf = ({ kind, name }: Named | Accused): string => `${kind.replaceAll('_', ' ')} ${name}`;

function accusedWords(list: Accused[]): string {
  const names = [...new Set(list.map(nameOf))];
  const more = names.length - MOST_ACCUSED;
  return names.length === 0
    ? 'nothing'
    : `${names.slice(0, MOST_ACCUSED).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}

const truthOf = ({ causes }: RunResult): string =>
  causes.length === 0
    ? 'nothing'
    : causes.map(({ entities: [first], mechanism }) => `${first ? nameOf(first) : ''}: ${mechanism}`).join('; ');

/** Runs of one incident, in the order of their rounds. */
const byIncident = (results: readonly RunResult[]): RunResult[][] => [
  ...Map.groupBy(results, ({ incident }) => incident).values(),
];

function row(runs: RunResult[]): string {
  const [first] = runs;
  if (!first) return '';
  const scores = runs.flatMap((run) => (run.scores === null ? [] : [run.scores.late]));
  const times = runs.flatMap(({ secondsToIncident }) => (secondsToIncident === null ? [] : [secondsToIncident]));
  const marks = [first.decoy === null ? '' : 'decoy', first.isReplayed ? 'replayed' : ''].filter((mark) => mark !== '');
  const said =
    first.scores === null
      ? 'not asked'
      : first.secondsToIncident === null
        ? 'no alert'
        : accusedWords(first.accused.late);
  const change = runs.some(({ isChangeNamed }) => isChangeNamed === true) ? ', and its change' : '';
  const score =
    scores.length === 0
      ? 'N/A'
      : scores.length === 1
        ? figure(mean(scores))
        : `${figure(mean(scores))} (worst ${figure(Math.min(...scores))} of ${String(scores.length)})`;
  const cells = [
    `${first.incident}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`,
    words(first.fault),
    words(truthOf(first)),
    `${words(said)}${change}`,
    times.length === 0 ? '–' : times.map(String).join(', '),
    score,
    figure(mean(runs.map(({ baseline }) => baseline.score))),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Returns the mean of the runs' scores, each incident once; null if none has one. */
export function meanScore(results: readonly RunResult[], of: (run: RunResult) => number | null): number | null {
  const each = byIncident(results).flatMap((runs) => {
    const scores = runs.flatMap((run) => of(run) ?? []);
    return scores.length === 0 ? [] : [mean(scores)];
  });
  return each.length === 0 ? null : mean(each);
}

const late = (run: RunResult): number | null => run.scores?.late ?? null;
const early = (run: RunResult): number | null => run.scores?.early ?? null;
const orNone = (value: number | null): string => (value === null ? 'N/A' : figure(value));

const HEAD =
  '| incident | fault | truth | Plimsoll accused | seconds to the incident | score | baseline |\n|---|---|---|---|---|---|---|';

function section(title: string, results: readonly RunResult[]): string {
  if (results.length === 0) return `## ${title}\n\nNo run yet.\n`;
  return `## ${title}\n\n${HEAD}\n${byIncident(results).map(row).join('\n')}\n`;
}

function sums(results: readonly RunResult[]): string {
  const groups: [string, RunResult[]][] = [
    ['faults in the cluster', results.filter((run) => run.place === 'cluster' && !isHealthy(run))],
    ['faults of hosts', results.filter((run) => run.place === 'host' && !isHealthy(run))],
    ['never seen before', results.filter(({ incident }) => isOfFirst(incident))],
    ['never seen, after those were learned from', results.filter(({ incident }) => isOfSecond(incident))],
    ['with a decoy change', results.filter(({ decoy }) => decoy !== null)],
    ['with two causes', results.filter(({ causes }) => causes.length > 1)],
    ['healthy stretches', results.filter(isHealthy)],
    ['all', [...results]],
  ];
  const lines = groups.map(([name, runs]) => {
    const [atEnd, atFirst, base] = [
      meanScore(runs, late),
      meanScore(runs, early),
      meanScore(runs, ({ baseline }) => baseline.score),
    ];
    return `| ${name} | ${String(byIncident(runs).length)} | ${orNone(atEnd)} | ${orNone(atFirst)} | ${orNone(base)} |`;
  });
  const repeated = byIncident(results).flatMap((runs) => {
    const scores = runs.flatMap((run) => late(run) ?? []);
    return scores.length > 1 ? [Math.min(...scores)] : [];
  });
  const worst =
    repeated.length === 0
      ? ''
      : `\nWorst of the runs, mean over the ${String(repeated.length)} incidents that ran more than once: ${figure(mean(repeated))}.\n`;
  return `| incidents | number | score | score 20 s after the incident opened | baseline |\n|---|---|---|---|---|\n${lines.join('\n')}\n${worst}`;
}

/** Facts about the runs that their results do not hold. */
const NOTES = `- **Made again**: twelve runs in the cluster, of eight incidents. The analyser named pods for warnings of their start that were
  over (CoreDNS, an hour before); that was mended, and they ran again. Thrown away were image-missing 0.50 and
  one that was not noted,  memory-limit-too-small 0.50 and 1.00, wrong-program 0.50 and 0.50, heap-too-small 0.50 and 1.00, database-old-files 0.50,
  cpu-burn 0.00, slow-service 0.00 and volume-full 1.00. hosts-leads-elsewhere and config-unreadable keep their first score: a
  kernel kill of a container beside the machine was taken for theirs.
- **Busy machine**: config-map-address and readiness-gate-unset ran beside tests that took all of its CPU, and the node was named.
- **Learned from them**: faults of the answers were mended after the runs. The recordings below have the answers of today.
- **Out of reach**: node-tainted evicts the collector as well, so nothing is reported any more. secret-rotated has its cause in a
  Secret, which is never read.
`;
/** Returns how often what ran, and what did not. */
function runsWords(results: readonly RunResult[], names: readonly string[]): string {
  const runs = byIncident(results);
  const repeated = runs.flatMap((all) => (all.length > 1 && all[0] ? [all[0].incident] : []));
  const missing = names.filter((name) => results.every(({ incident }) => incident !== name));
  const commits = new Set(results.map(({ commit }) => commit)).size;
  const states = commits === 1 ? 'one state' : `${String(commits)} states, each newer than the one before,`;
  return [
    `${String(results.length)} runs of ${states} of the product.`,
    repeated.length === 0 ? '' : `More than once: ${repeated.join(', ')}.`,
    missing.length === 0 ? '' : `Not run: ${missing.join(', ')}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join('\n  ');
}

/**
 * Returns docs/incidents.md for the results of all runs. `replayed`: its section about the recordings. `names`: all incidents
 * that there are.
 */
export function incidentTable(results: readonly RunResult[], replayed: string, names: readonly string[]): string {
  return `# The incident lab

\`npm run incidents\` breaks real systems and compares what Plimsoll says about the cause with the truth. \`npm run incidents --
table\` writes this file from the results; do not edit it.

${sums(results)}
The goal is ${figure(GOAL)}.

- **Score** of one answer, as in ITBench-AA: 0 if a true cause is missing among the entities that the answers accuse, else
  true entities ÷ accused entities. Several names of one cause count once, and a pod counts as its workload. All incidents
  that Plimsoll opened for a fault count together. No alert within 210 s is 0. A healthy stretch is 1 if nothing is accused.
- **Baseline**: the object that \`kubectl get events\` names most often in warnings, on hosts the unit with the most lines of
  \`journalctl -p err\`, scored the same way.
- **Runs**: ${runsWords(results, names)}
${NOTES}- **Seconds**: from the injection to the first incident. Some faults show late by their nature.
- **Author**: whoever wrote these incidents had not read the analyser. Those "never seen" ran here for the first time. Earlier
  runs of all others were read, and the analyser learned from them.

Differences to a usual installation:

- Reports come every ${String(REPORT_SECONDS)} s instead of every 60 s, and every rule waits a ${WAIT_DIVISOR === 6 ? 'sixth' : 'part'} of its default.
- The cluster is that of \`npm run test:cluster\`. Without a registry its node image, its pod network and its container runtime
  are stand-ins ([the list](../scripts/lab/airgap/README.md)); it enforces no NetworkPolicy, so none is among the faults.
- Each incident has a shop of its own in a new namespace: a front, three services, a queue with a worker, PostgreSQL and a
  load generator. A check asks the front every 20 s. Pod logs and changes of ConfigMaps are switched on.
- Several incidents run side by side, each in its own namespace; those that harm the whole cluster run alone.
- A host is a systemd machine (systemd-nspawn) with the collector installed by install.sh. It shares kernel, processor and
  memory with the machine it runs on, so rules about CPU, memory, load and IO wait are off there, and faults of clock,
  memory, kernel and hardware are not injected. Its disk is 900 MB of memory.
- Shops and machines are new: everything was created, and the machine booted, two or three minutes before the fault. A
  real installation has older ones, so the ledger names fewer changes there.
${results.some(({ isReplayed }) => isReplayed) ? '- Incidents marked "replayed" write recorded lines instead of breaking hardware.\n' : ''}
${replayed}
${section(
  'Faults in the cluster',
  results.filter((run) => run.place === 'cluster' && !isHealthy(run)),
)}
${section(
  'Faults of hosts',
  results.filter((run) => run.place === 'host' && !isHealthy(run)),
)}
${section('Healthy stretches', results.filter(isHealthy))}`;
}
