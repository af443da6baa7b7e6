/** Meanings of words for the analyser. A word in another language, a plural and a verb stand for the same term. */
const WORDS = {
  // Nouns.
  server:
    'server servers host hosts hostname machine machines box boxes vm vms computer computers fleet rechner maschine maschinen',
  process:
    'process processes program programs programme command commands app apps application applications prozess prozesse programm',
  container: 'container containers docker podman',
  pod: 'pod pods',
  node: 'node nodes knoten worker workers',
  namespace: 'namespace namespaces',
  cluster: 'cluster clusters kubernetes k8s',
  workload: 'workload workloads deployment deployments statefulset statefulsets daemonset daemonsets',
  alert:
    'alert alerts alarm alarms alarme fire fires fired firing incident incidents problem problems probleme issue issues wrong trouble',
  check: 'check checks probe probes website websites',
  certificate: 'certificate certificates cert certs tls ssl expire expires expired expiring expiry',
  heartbeat: 'heartbeat heartbeats cronjob cronjobs',
  maintenance: 'maintenance maintenances planned',
  silence: 'silence silences silenced silencing muted snoozed',
  gpu: 'gpu gpus',
  raid: 'raid raids mdadm zfs btrfs',
  smart: 'smart',
  fan: 'fan fans',
  battery: 'battery batteries ups',
  rule: 'rule rules threshold thresholds',
  change: 'change changes changed änderung änderungen geändert deploy deploys deployed rollout rollouts',
  cause: 'why warum wieso cause causes caused causing reason reasons root',
  happened: 'happened happen happens happening passiert events event activity',
  // Figures.
  cpu: 'cpu cpus processor processors prozessor compute',
  memory: 'memory ram mem speicher arbeitsspeicher',
  disk: 'disk disks storage filesystem filesystems space full fullest fuller ssd drive drives volume volumes festplatte festplatten platte voll',
  network: 'network traffic bandwidth netzwerk netz throughput internet',
  connection: 'connection connections sockets',
  tcp_state: 'time_wait close_wait time-wait close-wait established',
  temperature:
    'temperature temperatures temp temps hot hotter hottest warm warmest heat cold coldest coolest degrees temperatur',
  io_wait: 'iowait wait waits waiting io i/o',
  iops: 'iops operations',
  load: 'load loads loadavg',
  swap: 'swap swapping swaps',
  headroom: 'headroom line lines nearest closest close overloaded',
  restarts: 'restart restarts restarted restarting crash crashes crashed crashing neustart neustarts neugestartet',
  pod_reason: 'crashloop crashloops crashlooping crashloopbackoff imagepullbackoff imagepull errimagepull',
  oom: 'oom oomkill oomkilled oomkills killed kills',
  uptime: 'uptime reboot reboots rebooted boot booted',
  // Facts of one server.
  core: 'core cores vcpu vcpus kerne',
  os: 'os distro distribution linux ubuntu debian fedora rhel macos windows',
  kernel: 'kernel',
  version: 'version versions',
  agent: 'agent agents collector collectors',
  region: 'region regions location',
  added: 'added enrolled installed',
  unit: 'unit units systemd service services',
  package:
    'update updates upgrade upgrades patch patches package packages aktualisierung aktualisierungen aktualisierungs',
  security: 'security sicherheit',
  // States.
  offline: 'offline down unreachable silent dead gone',
  online: 'online up reachable reporting alive reports reported report active aktiv open unresolved ongoing',
  uninstalled: 'uninstalled',
  critical: 'critical severe kritisch kritische',
  warning: 'warning warnings warn',
  resolved: 'resolved closed solved ended',
  required: 'required necessary outstanding nötig fällig',
  acknowledged: 'acknowledged acked ack acknowledge bestätigt quittiert',
  unacknowledged: 'unacknowledged unacked unbestätigt',
  oldest: 'oldest first älteste ältester',
  newest: 'newest',
  pending: 'pending stuck waiting-pods scheduled unschedulable',
  running: 'running run runs ran läuft laufen',
  failed: 'failed fail failure failures error errors missed late',
  broken: 'unhealthy broken degraded sick missing failing fails',
  ready: 'ready',
  health: 'healthy health okay ok fine status state alright',
  update: 'seen contact heard',
  idle: 'idle idlest unused underused underutilised underutilized',
  busy: 'busy busier busiest loaded stressed utilised utilized',
  slow: 'slow slower slowest latency latencies langsam langsamste',
  process_state: 'zombie zombies defunct sleeping stopped',
  capacity: 'capacity fit fits room',
  loss: 'lose loses loss lost dies',
  forecast: 'soon forecast predict prediction running-out fill fills',
  // Kinds of questions.
  count: 'count number anzahl viele',
  since: 'since when seit wann long lange',
  who: 'who whos wer',
  all: 'all every everything anything each alle per list show across',
  not: 'not no without isnt arent nicht kein keine notready',
  least: 'least shortest lowest wenigste niedrigste kleinste min minimum smallest fewest less bottom wenigsten',
  free: 'free available left remaining frei',
  top: 'top longest most highest max maximum biggest largest high highly higher greatest heaviest worst peak peaked meisten höchste höchsten größte hoch',
  over: 'above over exceeding exceeds beyond more',
  under: 'below under beneath',
  compare: 'compare compared comparison versus vs',
  statistics: 'statistic statistics stats stat summary overview report-card statistik figures',
  history: 'trend trends develop developed history graph chart over-time',
  average: 'average avg mean averages durchschnitt',
  percentile: 'p95 percentile',
  total: 'total altogether sum insgesamt',
  consume: 'eat eats eating hog hogs hogging consume consumes consuming consumed take takes taking burn burns burning',
  use: 'use uses using used usage utilisation utilization consumption need needs needing verbraucht verbrauch braucht nutzt auslastung nutzung belegung',
  send: 'send sends sending sent upload uploads uploading uploader uploaders outbound outgoing transmit transmits sendet',
  receive:
    'receive receives receiving received download downloads downloading downloader downloaders inbound incoming empfängt',
} as const;
export type Term = keyof typeof WORDS;

/** Words that change no answer. */
const PLAIN = new Set(
  (
    'the a an is are was were do does did i im my me our we us of on for to in at by with and or it its there that this these those what which where how much many ' +
    'any some now right currently please give gimme tell see have has had got get can could would will be been being from than them they you your so if as ' +
    'der die das den dem ein eine ist sind hat haben ich sich es er alles wieviel wieviele welchen welches letzte neueste aktuell aktuelle aktuellen uns unsere meine meiner meinen auf im von mit und oder wie welche welcher welches was wo zeige mir gibt es gerade jetzt viel welchem ' +
    "name names named value values current latest last data me then here doing going about only also just really actually quickly hey hi percent kind type far still wich whch whcih whitch wat yet named's " +
    'find display check-in whats hows wheres think know want like look looks one ones there prozent quite very too both between enough did nearly near moment their am back go goes went sort rank order anywhere schon'
  ).split(' '),
);
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
const LEAST_FUZZY = 5;

/** Returns a reader of words, also mistyped ones; it returns null for a word that the table does not have. */
export function createReader<Name extends string>(table: Record<Name, string>): (word: string) => Name | null {
  const names = new Map(
    (Object.entries(table) as [Name, string][]).flatMap(([name, words]) =>
      words.split(' ').map((word): [string, Name] => [word, name]),
    ),
  );
  const long = [...names.keys()].filter(({ length }) => length >= LEAST_FUZZY);
  return (word) => {
    const exact = names.get(word);
    if (exact !== undefined) return exact;
    if (word.length < LEAST_FUZZY || PLAIN.has(word) || /\d/.test(word)) return null;
    const most = word.length >= LONG_WORD ? 2 : 1;
    let [found, least] = [null as string | null, most + 1];
    for (const known of long) {
      // A typo in the first letter is rare, and "inodes" are not nodes.
      if (known[0] !== word[0]) continue;
      const distance = edits(word, known, most);
      if (distance < least) [found, least] = [known, distance];
    }
    return found === null ? null : (names.get(found) ?? null);
  };
}

/** Returns the term of a word, also where it is mistyped; null: a word of its own, such as a name. */
export const termOf = createReader(WORDS);

const EXACT = new Set(Object.values(WORDS).flatMap((words) => words.split(' ')));
export const isPlainWord = (word: string): boolean => PLAIN.has(word) || EXACT.has(word);
/** It stands for nothing that an answer could leave out. */
export const isFiller = (word: string): boolean => PLAIN.has(word);

/** Several words that mean one. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/[’']s?\b/g, ''],
  [/\bi ?\/ ?o\b/g, 'io'],
  [/\bio[ -]wait\b/g, 'iowait'],
  [/%/g, ' percent '],
  [/>=? ?(?=\d)/g, ' above '],
  [/<=? ?(?=\d)/g, ' below '],
  [/\bout of (?:disk|storage)(?: space)?\b/g, 'full disk'],
  [/\bfile systems?\b/g, 'filesystem'],
  [/\bload average\b/g, 'load'],

  [/\b(?:going|goes|gone) (?:up|down)\b|\b(?:rising|growing|increasing|decreasing|shrinking)\b/g, 'trend'],
  [/\bover time\b/g, 'trend'],
  [/\bwhat(?: is)? (?:using|filling)\b/g, 'process using'],
  [
    /\brun(?:ning|s)? out(?: of)?\b|\bfills? up(?: first)?\b|\bfull first\b|\b(?:will|when) (.{0,40})\bbe full\b/g,
    '$1 soon full',
  ],
  [/\bwhen (?:is|are|does|do|gets?|becomes?) (.{0,60})\bfull\b/g, '$1 soon full'],
  [/\b(?:expires?|ends?|ending) first\b/g, 'expires soon'],
  [/\bdis[kc] ?(?:io|activity)\b/g, 'iops'],
  [/\bwie ?viele\b/g, 'how many'],
  [/\bout of memory\b/g, 'oom'],
  [/\bup to\b/g, 'to'],
  [/\btop of\b/g, 'of'],
  [/\b(?:next )?maintenance(?: windows?)?\b/g, 'maintenance'],
  [/\b(higher|hotter|warmer|busier|greater|bigger|larger|fuller) than\b/g, '$1 above'],
  [/\b(?:lower|colder|cooler|smaller|emptier) than\b/g, 'below'],
  [/\bcrash loop/g, 'crashloop'],
  [/\bhow is everything\b|\bis everything (?:ok|okay|fine|alright)\b/g, 'any problem'],
];

/** Words that German writes together with the noun before them. */
const COMPOUND_HEADS = new Set(
  'auslastung verbrauch nutzung last belegung temperatur prozesse platz server updates'.split(' '),
);
const LEAST_PART = 3;
/** Returns the two words of a compound that are both known, such as "Speicher" and "Verbrauch". */
function compoundOf(word: string): string[] | null {
  if (isPlainWord(word) || !/^\p{L}+$/u.test(word)) return null;
  for (let at = LEAST_PART; at < word.length; at += 1) {
    const [first, second] = [word.slice(0, at), word.slice(at)];
    if (COMPOUND_HEADS.has(second) && EXACT.has(first)) return [first, second];
    // "Sicherheitsupdates" joins its words by an s.
    if (COMPOUND_HEADS.has(second) && first.endsWith('s') && EXACT.has(first.slice(0, -1)))
      return [first.slice(0, -1), second];
  }
  return null;
}

/** Returns the words of a question in lower case. Names keep the hyphens and dots inside them. */
export function wordsOf(question: string): string[] {
  let text = question.toLowerCase();
  for (const [phrase, word] of PHRASES) text = text.replaceAll(phrase, word);
  const words = text.match(/[\p{L}\p{N}]+(?:[._/:-]+[\p{L}\p{N}]+)*/gu) ?? [];
  // "CPU-Auslastung" and "Speicherauslastung" are two words, "db-fra-01" is a name.
  return words.flatMap((word) => {
    const compound = compoundOf(word);
    if (compound !== null) return compound;
    const parts = word.split('-');
    return parts.length > 1 && !EXACT.has(word) && parts.every(isPlainWord) ? parts : [word];
  });
}
