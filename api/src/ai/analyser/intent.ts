/** Questions the analyser understands without a model. */
const INTENTS = [
  'cpu_load',
  'active_alerts',
  'top_memory',
  'top_cpu',
  'statistics',
  'disks',
  'network',
  'pods',
  'headroom',
] as const;
export type Intent = (typeof INTENTS)[number];

/** First match wins: what is narrow stands before what is wide. */
const PATTERNS: readonly [Intent, RegExp][] = [
  ['active_alerts', /\b(alerts?|firing|incidents?|problems?|wrong)\b/],
  ['top_memory', /\bprocess(es)?\b.*\b(memory|ram)\b|\b(memory|ram)\b.*\bprocess(es)?\b/],
  ['top_cpu', /\bprocess(es)?\b.*\bcpu\b|\bcpu\b.*\bprocess(es)?\b|\btop processes\b/],
  ['pods', /\b(pods?|kubernetes|cluster|restarts?|crashloop\w*|oom)\b/],
  ['statistics', /\b(statistics?|stats|summary|overview|last hour|average)\b/],
  ['disks', /\b(disks?|storage|filesystems?|space|full)\b/],
  ['network', /\b(network|traffic|bandwidth|connections?)\b/],
  ['headroom', /\b(headroom|load line|closest|nearest|busiest|overloaded|how are)\b/],
  ['cpu_load', /\b(cpu|load|processor)\b/],
];

/** Returns null for a question that needs a model. */
export function intentOf(question: string): Intent | null {
  const words = question.toLowerCase();
  return PATTERNS.find(([, pattern]) => pattern.test(words))?.[0] ?? null;
}

/** Offered when a question needs a model. The first four are those of the empty page. */
export const WORKING_QUESTIONS = [
  'What is the CPU load on my servers?',
  'Are there any active alerts?',
  'Which processes consume the most memory?',
  'Show statistics for the last hour',
  'Which server has the least headroom?',
  'Which disks are nearly full?',
  'Which pods restarted most?',
] as const;
