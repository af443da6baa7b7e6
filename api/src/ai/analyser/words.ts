/** Meanings of words for the analyser. A word in another language, a plural and a verb stand for the same term. */
export type Term =
  | 'server'
  | 'process'
  | 'container'
  | 'pod'
  | 'node'
  | 'namespace'
  | 'alert'
  | 'cluster'
  | 'workload'
  | 'cpu'
  | 'memory'
  | 'disk'
  | 'network'
  | 'temperature'
  | 'io_wait'
  | 'iops'
  | 'load'
  | 'swap'
  | 'restarts'
  | 'headroom'
  | 'offline'
  | 'online'
  | 'count'
  | 'since'
  | 'least'
  | 'free'
  | 'top'
  | 'busy'
  | 'forecast'
  | 'statistics'
  | 'history'
  | 'critical'
  | 'warning'
  | 'resolved'
  | 'pending'
  | 'running'
  | 'failed'
  | 'broken'
  | 'ready'
  | 'not'
  | 'consume'
  | 'use'
  | 'send'
  | 'receive'
  | 'hour'
  | 'minute'
  | 'day'
  | 'week'
  | 'night'
  | 'today'
  | 'yesterday'
  | 'happened'
  | 'health'
  | 'who'
  | 'over'
  | 'update'
  | 'all';

const WORDS: Record<Term, string> = {
  server: 'server servers host hosts machine machines box boxes vm vms computer computers rechner maschine maschinen',
  process:
    'process processes program programs programme command commands app apps application applications prozess prozesse programm',
  container: 'container containers docker podman',
  pod: 'pod pods crashloop crashloopbackoff',
  node: 'node nodes knoten worker workers',
  namespace: 'namespace namespaces',
  alert:
    'alert alerts alarm alarms alarme firing incident incidents problem problems probleme issue issues wrong trouble outage outages',
  cluster: 'cluster clusters kubernetes k8s',
  workload: 'workload workloads deployment deployments statefulset statefulsets',
  cpu: 'cpu cpus processor processors prozessor core cores compute',
  memory: 'memory ram mem speicher arbeitsspeicher',
  disk: 'disk disks storage filesystem filesystems space full fullest fuller ssd drive drives volume volumes festplatte platte',
  network: 'network traffic bandwidth connection connections netzwerk netz throughput internet',
  temperature:
    'temperature temperatures temp temps hot hotter hottest warm warmest heat cold coldest coolest degrees temperatur',
  io_wait: 'iowait wait waits waiting io i/o',
  iops: 'iops operations',
  load: 'load loads loadavg last',
  swap: 'swap swapping swaps',
  restarts: 'restart restarts restarted restarting crash crashes crashed crashing oom killed neustart neustarts',
  headroom: 'headroom line nearest closest overloaded',
  offline: 'offline down unreachable silent missing dead gone',
  online: 'online up reachable reporting alive reports reported report',
  count: 'count number anzahl viele',
  since: 'since when seit wann long',
  least: 'least lowest min minimum smallest fewest less bottom idle idlest wenigsten',
  free: 'free available left remaining frei',
  top: 'top most highest max maximum biggest largest high highly greatest heaviest worst peak meisten höchste höchsten größte',
  busy: 'busy busier busiest loaded stressed utilised utilized',
  forecast: 'soon forecast predict prediction run running-out',
  statistics: 'statistic statistics stats stat summary overview report-card statistik figures',
  history: 'average mean trend history past graph chart durchschnitt',
  critical: 'critical severe kritisch kritische',
  warning: 'warning warnings warn',
  resolved: 'resolved closed solved ended',
  pending: 'pending stuck waiting-pods scheduled unschedulable',
  running: 'running runs läuft laufen',
  failed: 'failed failing fails fail error errors',
  broken: 'unhealthy broken sick',
  ready: 'ready',
  not: 'not no without isnt arent nicht kein keine notready',
  consume: 'eat eats eating hog hogs hogging consume consumes consuming consumed take takes taking burn burns burning',
  use: 'use uses using used usage utilisation utilization consumption need needs needing verbraucht verbrauch braucht nutzt',
  send: 'send sends sending sent upload uploads uploading outbound outgoing transmit transmits sendet',
  receive: 'receive receives receiving received download downloads downloading inbound incoming empfängt',
  hour: 'hour hours h hr hrs stunde stunden hourly',
  minute: 'minute minutes min mins minuten',
  day: 'day days daily tag tage tagen d',
  week: 'week weeks woche weekly',
  night: 'night overnight tonight nacht',
  today: 'today heute',
  yesterday: 'yesterday gestern',
  happened: 'happened happen happens happening passiert events event activity changed',
  health: 'healthy health okay ok fine status state alright',
  who: 'who whos wer',
  over: 'above exceeding exceeds beyond more',
  update: 'seen contact heard',
  all: 'all every each alle per list show',
};

const TERM_OF = new Map(
  (Object.entries(WORDS) as [Term, string][]).flatMap(([term, words]) =>
    words.split(' ').map((word): [string, Term] => [word, term]),
  ),
);
/** Words that look like a term with a typo. */
const PLAIN = new Set(
  (
    'the a an is are was were do does did i my me our we of on for to in at by with and or it its there that this these what which where how much many ' +
    'any some now right currently please give gimme tell list show see have has had get can could would should be been from than them they you your will ' +
    'der die das den dem ein eine ist sind hat haben ich auf im von mit und oder wie welche welcher welches was wo zeige mir gerade jetzt viel about only ' +
    "time time's name names value values current currently latest newest new old server's me show than then ever here live near nearly"
  ).split(' '),
);
const FUZZY_WORDS = [...TERM_OF.keys()].filter((word) => word.length >= 5);

/** Returns the edits between two words, counting two letters that changed places as one; at most `most + 1`. */
export function edits(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let [before, previous] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    [before, previous] = [previous, row];
  }
  return previous[b.length] ?? most + 1;
}

const LONG_WORD = 8;

/** Returns the term of a word, also where it is mistyped; null: a word of its own, such as a name. */
export function termOf(word: string): Term | null {
  const exact = TERM_OF.get(word);
  if (exact !== undefined) return exact;
  if (word.length < 5 || PLAIN.has(word) || /\d/.test(word)) return null;
  const most = word.length >= LONG_WORD ? 2 : 1;
  let [found, least] = [null as string | null, most + 1];
  for (const known of FUZZY_WORDS) {
    const distance = edits(word, known, most);
    if (distance < least) [found, least] = [known, distance];
  }
  return found === null ? null : (TERM_OF.get(found) ?? null);
}

export const isPlainWord = (word: string): boolean => PLAIN.has(word) || TERM_OF.has(word);

/** Returns the words of a question in lower case. Names keep the hyphens and dots inside them. */
export const wordsOf = (question: string): string[] =>
  question
    .toLowerCase()
    .replaceAll(/[’']s?\b/g, '')
    .replaceAll(/\bi ?\/ ?o\b/g, 'io')
    .replaceAll(/\bio[ -]wait\b/g, 'iowait')
    .replaceAll('%', ' percent ')
    .match(/[\p{L}\p{N}]+(?:[._/-]+[\p{L}\p{N}]+)*/gu) ?? [];
