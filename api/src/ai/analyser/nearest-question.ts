import { readQuestion } from './question-parts.ts';
import { figuresOf } from './asked.ts';
import { termOf, wordsOf } from './words.ts';

/** Questions that work, for one that does not. */
export const OFFERED = [
  'Are there any active alerts?',
  'Which server has the highest CPU usage?',
  'Which server has the highest memory usage?',
  'Which server has the highest load?',
  'Which server has the most IOPS?',
  'Which server has the highest IO wait?',
  'Which server uses the most swap?',
  'Which disks are nearly full?',
  'Which disk is full soon?',
  'Which server has the most network traffic?',
  'Which server is the hottest?',
  'Which server has the least headroom?',
  'Which server has the longest uptime?',
  'Which servers are offline?',
  'Which servers are idle?',
  'How many servers do I have?',
  'How many cores do all servers have in total?',
  'How much memory do all servers have in total?',
  'Are there any critical alerts?',
  'How many alerts were there yesterday?',
  'Which alert rules are there?',
  'What is the cause of the latest alert?',
  'What happened in the last 24 hours?',
  'What changed in the last 24 hours?',
  'Which checks are down?',
  'Which check is the slowest?',
  'Which certificates expire soon?',
  'Are all heartbeats up?',
  'Which maintenance is planned?',
  'Which silences are active?',
  'Is any RAID broken?',
  'Are the disks healthy?',
  'Which GPU is the hottest?',
  'Which units failed?',
  'Which servers have pending updates?',
  'Which servers need a reboot?',
  'Which processes consume the most memory?',
  'Which processes use the most CPU?',
  'Which containers are broken?',
  'Which pods restarted most?',
  'Which pods were OOM killed?',
  'Which pods are pending?',
  'Which namespace uses the most memory?',
  'Which workloads are broken?',
  'How many nodes are ready?',
  'Which clusters are unhealthy?',
  'What are the events of the cluster?',
  'Does the cluster have capacity for more pods?',
  'Can we lose a node?',
  'Show statistics for the last hour',
] as const;

/** Terms that any question has. */
const COMMON = new Set<string>([
  'count',
  'who',
  'top',
  'all',
  'use',
  'server',
  'over',
  'since',
  'online',
  'broken',
  'failed',
  'health',
]);
const termsOf = (text: string): Set<string> =>
  new Set(
    wordsOf(text)
      .flatMap((word) => termOf(word) ?? [])
      .filter((term) => !COMMON.has(term)),
  );
const RATED = OFFERED.map((offered) => ({ offered, terms: [...termsOf(offered)] }));

/** Words for a figure in "What is the … of web-1?". */
const FIGURE_WORDS: Record<string, string> = {
  cpu: 'CPU usage',
  memory: 'memory usage',
  disk: 'disk usage',
  io_wait: 'IO wait',
  iops: 'IOPS',
  network: 'network traffic',
};

/**
 * Returns the question that works and shares most terms with another; the first of them where none does. A server that
 * the question names keeps its name, unless there is none of that name.
 */
export function nearestQuestion(question: string, now = Date.now() / 1000, isKnown = true): string {
  const { names, terms } = readQuestion(question, now);
  const name = names.find((one) => /[-_.\d]/.test(one));
  const isOther = ['pod', 'node', 'namespace', 'container', 'check', 'workload', 'cluster'] as const;
  if (isKnown && name !== undefined && !isOther.some((term) => terms.has(term))) {
    const [figure] = figuresOf(terms);
    if (terms.has('alert')) return `Are there any alerts on ${name}?`;
    return figure === undefined
      ? `What is the status of ${name}?`
      : `What is the ${FIGURE_WORDS[figure] ?? figure} of ${name}?`;
  }
  const asked = termsOf(question);
  const rated = RATED.map(({ offered, terms: of }) => ({
    offered,
    shared: of.filter((term) => asked.has(term)).length / Math.sqrt(Math.max(1, of.length)),
  }));
  const best = rated.toSorted((a, b) => b.shared - a.shared)[0];
  if (best !== undefined && best.shared > 0) return best.offered;
  return terms.has('server') ? 'Which server has the least headroom?' : OFFERED[0];
}
