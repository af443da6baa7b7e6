import { addressPattern } from '../../graph.ts';
import type { Text } from '../../index-objects.ts';
import type { Candidate, Mechanism } from '../../mechanism.ts';
import type { Moment, WorkloadMoment } from '../../moment.ts';
import { quote } from '../../words.ts';
import { isNewTask } from '../pods/task.ts';
import { changeWords } from '../../change-words.ts';
import { POD_TROUBLE } from '../../aspects.ts';

interface Refusal {
  pattern: RegExp;
  words: string;
  next: string;
}
/** A store refuses what its callers ask, and says so. */
const REFUSALS: readonly Refusal[] = [
  {
    pattern:
      /password authentication failed|Access denied for user|authentication failed|WRONGPASS|NOAUTH|invalid (?:username|password|credentials)|role "[^"]{1,63}" (?:does not exist|is not permitted)|no pg_hba\.conf entry|28P01|28000|ACCESS_REFUSED|Login failed for user/i,
    words: 'refuses the login of its callers',
    next: 'Compare the password and the user of the store with what its callers use.',
  },
  {
    pattern:
      /(?:relation|table|database|column|schema) "?[^"\s]{1,100}"? (?:does not exist|doesn't exist)|Unknown database|permission denied for (?:table|relation|schema|database)/i,
    words: 'lacks what its callers ask for',
    next: 'Compare its databases, tables and rights with what its callers expect.',
  },
  {
    pattern: /OOM command not allowed|maxmemory|used memory >/i,
    words: 'has reached its memory limit and refuses writes',
    next: 'Raise `maxmemory`, or let it evict keys.',
  },
  {
    pattern: /too many (?:connections|clients)|remaining connection slots|max_connections|max number of clients|53300/i,
    words: 'has no free connection left',
    next: 'Look for a pool that leaks, or raise the limit of connections.',
  },
  {
    pattern:
      /could not extend file|No space left on device|disk (?:is )?full|MISCONF Redis|flood stage disk watermark|53100/i,
    words: 'cannot write: no space is left',
    next: 'Free space on its volume, or enlarge the claim.',
  },
  {
    pattern:
      /cannot execute .{1,40} in a read-only transaction|READONLY You can't write|read[- ]only (?:mode|replica|transaction)/i,
    words: 'accepts no writes',
    next: 'Find which instance is the primary, and why this one is not.',
  },
];

/** Images and names of stores, with the words of their errors. */
const STORES: readonly (readonly [name: RegExp, words: RegExp])[] = [
  [
    /postgres|pgsql|pgbouncer|timescale|cockroach|database|(?:^|[-/])(?:pg|db)(?:$|[-:])/i,
    /password authentication|too many clients|role "|pg_hba|relation|connection slots|could not extend|read-only transaction|28P01|28000|53[13]00|postgres/i,
  ],
  [/mysql|mariadb|percona/i, /Access denied for user|Unknown database|doesn't exist|mysql/i],
  [
    /redis|valkey|keydb|dragonfly|(?:^|[-/])cache(?:$|[-:])/i,
    /WRONGPASS|NOAUTH|OOM command|maxmemory|MISCONF|READONLY|clients reached|redis/i,
  ],
  [/mongo/i, /Authentication failed|mongo/i],
  [/rabbit|nats|kafka|(?:^|[-/])(?:queue|broker|mq)(?:$|[-:])/i, /ACCESS_REFUSED|amqp|rabbit|kafka|nats/i],
  [/elastic|opensearch/i, /watermark|elastic|index/i],
];

const dependencyRefuses: Mechanism = {
  id: 'dependency_refuses',
  title: 'A store refuses its callers',
  recognise: (moment) =>
    REFUSALS.flatMap((refusal): Candidate[] => {
      const tellers = moment.workloads.flatMap((workload): Teller[] => {
        const [said] = workload.isInTrouble ? workload.said(refusal.pattern) : [];
        return said === undefined ? [] : [{ workload, said, store: storeOf(said.text, workload, moment) }];
      });
      const groups = Map.groupBy(tellers, ({ store, workload }) => (store ?? workload).key);
      return [...groups.values()].flatMap((group) => candidateOf(refusal, group));
    }),
};

interface Teller {
  workload: WorkloadMoment;
  said: Text;
  /** Null: it is not known which. */
  store: WorkloadMoment | null;
}
/** All workloads whose lines name one store, or one whose lines name an unknown store. */
function candidateOf(refusal: Refusal, group: readonly Teller[]): Candidate[] {
  const [first] = group;
  if (first === undefined) return [];
  const { workload, said, store } = first;
  const changed = workload.rollout(/env|volumes|image|args|command/);
  const own = changed === undefined || workload.hasSettled(changed.at) ? undefined : changed;
  const others = store?.rollout();
  // One caller that changed, alone among those that use the store, has the wrong setting itself.
  const isOwn = store === null || (own !== undefined && others === undefined && group.length === 1);
  const [guilty, change] = isOwn ? [workload, own] : [store, others];
  return [
    {
      entities: [guilty.entity],
      reaches: group.map((one) => one.workload.entity),
      finding: `${guilty.name} ${isOwn ? 'is refused by a store that it uses' : refusal.words}.`,
      since: change?.at ?? said.at,
      change,
      specificity: !isOwn ? 'stated' : change === undefined ? 'state' : 'changed',
      brings: POD_TROUBLE,
      is: 'failing',
      evidence: [quote(said), change && changeWords(change)],
      next: refusal.next,
    },
  ];
}

/** The store that a text speaks of: by its name, else the only one of its kind in the namespace. */
function storeOf(text: string, teller: WorkloadMoment, moment: Moment): WorkloadMoment | null {
  const { clusterId, namespace } = teller.ref;
  const near = moment.inNamespaceOf(teller.ref);
  const named = moment.index
    .objectsOf('Service')
    .filter((one) => one.clusterId === clusterId && one.namespace === namespace && addressPattern(one.name).test(text))
    .flatMap((service) => moment.behind(service));
  const found = [...named, ...(named.length > 0 ? [] : near.filter(({ ref }) => addressPattern(ref.name).test(text)))];
  const other = found.find((one) => one !== teller);
  const [kind] = STORES.find(([, words]) => words.test(text)) ?? [];
  if (other !== undefined || kind === undefined) return other ?? null;
  // The store may say it itself, and so may its callers.
  const stores = near.filter((one) => isStore(one, kind));
  return stores.includes(teller) ? teller : stores.length === 1 ? (stores[0] ?? null) : null;
}
function isStore({ ref, pods, object }: WorkloadMoment, name: RegExp): boolean {
  const images = [
    ...pods.flatMap(({ containers }) => containers.map(({ image }) => image)),
    ...Object.entries(object?.fields ?? {}).flatMap(([field, value]) => (field.endsWith('.image') ? [value] : [])),
  ];
  return [ref.name, ...images.map((image) => image.split('/').at(-1) ?? image)].some((one) => name.test(one));
}

/** Fewer may be a caller and what it calls. */
const FEWEST_SUFFERERS = 3;
/** Programs that lose what they share are not ready within a few probes. */
const AT_ONCE_SECONDS = 60;

/** The moment at which each of the workloads lost its last ready address, where that is known. */
const fallsOf = (workloads: readonly WorkloadMoment[]): number[] =>
  workloads.flatMap((one) => one.readiness.findLast(({ more }) => more < 0)?.at ?? []);

/** Several workloads stop being ready at once, none of them changed, and one store is what they share. */
const sharedStore: Mechanism = {
  id: 'shared_store',
  title: 'A store that several share',
  recognise: (moment) => {
    const places = Map.groupBy(moment.workloads, ({ ref }) => JSON.stringify([ref.clusterId, ref.namespace]));
    return [...places.values()].flatMap((near): Candidate[] => {
      const stores = near.filter((one) => STORES.some(([name]) => isStore(one, name)));
      const [store] = stores.length === 1 ? stores : stores.filter(({ ref }) => ref.kind === 'StatefulSet');
      const sick = near.filter((one) => !stores.includes(one) && one.unwell.length > 0);
      const isChanged = sick.some((one) => {
        const change = one.rollout();
        return change !== undefined && !one.hasSettled(change.at);
      });
      const silent = sick.filter((one) =>
        one.unwell.every(({ containers }) => containers.every(({ reason }) => reason === null)),
      );
      const falls = fallsOf(silent);
      const first = falls.length === 0 ? null : Math.min(...falls);
      if (store === undefined || isChanged || silent.length < FEWEST_SUFFERERS) return [];
      // Its own Service leads elsewhere since: that says more.
      if (store.services.some((one) => moment.changesOf(one).some(({ action }) => action === 'changed'))) return [];
      if (first !== null && Math.max(...falls) - first > AT_ONCE_SECONDS) return [];
      // Whatever it did to the store says more.
      if (near.some((one) => isNewTask(one, moment))) return [];
      return [
        {
          entities: [store.entity],
          reaches: silent.map((one) => one.entity),
          finding: `${silent.map((one) => one.ref.name).join(', ')} stopped being ready at once; they share ${store.name}.`,
          since: first,
          specificity: 'changed',
          brings: POD_TROUBLE,
          evidence: ['none of them changed shortly before, or all of them were ready after it'],
          against: [`${store.name} itself is ready, and no text names it.`],
          next: 'Log in to the store as its callers do: password, user, tables, connections, locks.',
        },
      ];
    });
  },
};
export const storeMechanisms: readonly Mechanism[] = [dependencyRefuses, sharedStore];
