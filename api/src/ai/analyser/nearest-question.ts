import { wordsOf, termOf } from './words.ts';

/** Questions that work, for one that does not. */
const OFFERED = [
  'Which server has the highest CPU usage?',
  'Which server has the highest memory usage?',
  'Which disks are nearly full?',
  'Which disk is full soon?',
  'Which server has the most network traffic?',
  'Which server is the hottest?',
  'Which servers are offline?',
  'How many servers do I have?',
  'Are there any active alerts?',
  'What happened in the last 24 hours?',
  'Which processes consume the most memory?',
  'Which processes use the most CPU?',
  'Which containers are broken?',
  'Which pods restarted most?',
  'Which namespace uses the most memory?',
  'How many nodes are ready?',
  'Show statistics for the last hour',
] as const;

/** Returns the question that works and shares most terms with another; null: it shares none. */
export function nearestQuestion(question: string): string | null {
  const termsOf = (text: string) => new Set(wordsOf(text).map((word) => termOf(word) ?? word));
  const asked = termsOf(question);
  const rated = OFFERED.map((offered) => {
    const terms = [...termsOf(offered)].filter((term) => !COMMON.has(term));
    return { offered, shared: terms.filter((term) => asked.has(term)).length / Math.sqrt(terms.length) };
  });
  const best = rated.toSorted((a, b) => b.shared - a.shared)[0];
  return best === undefined || best.shared === 0 ? null : best.offered;
}

/** Words that any question has. */
const COMMON = new Set<string>(
  'which the is are has have do i in there any how what who many most all use server top show count for'.split(' '),
);
