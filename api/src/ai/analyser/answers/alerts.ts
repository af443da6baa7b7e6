import { duration } from '../../../alerts/duration.ts';
import { cell, escaped, inside, moment, plural, rowsOf, table } from '../reports.ts';
import { onServer, periodWords, sentence, type Content, type Write } from './write.ts';

/** Cells of "since", with the length of what goes on. */
function sinceCell(since: unknown, isOver: boolean, now: number): string {
  const length =
    typeof since === 'string' && !isOver ? `, for ${duration(Math.max(0, now * 1000 - Date.parse(since)))}` : '';
  return `${moment(since, now)}${length}`;
}
/** Says that a list is not whole. */
const shownOf = (shown: number, total: number, which = 'newest'): string =>
  shown < total ? `\n\nThe ${which} ${String(shown)} of ${String(total)}.` : '';

export const alerts: Write = (content, asked, now) => {
  const { isCount, input, limit, period } = asked;
  const total = Number(content['total'] ?? 0);
  const acknowledged = input['acknowledged'];
  const state = typeof acknowledged !== 'boolean' ? '' : acknowledged ? 'acknowledged ' : 'unacknowledged ';
  const level = `${state}${typeof input['level'] === 'string' ? `${input['level']} ` : ''}`;
  const [looked, of] = [Number(content['looked_at'] ?? 0), Number(content['of'] ?? 0)];
  const among =
    (state !== '' || input['order'] === 'oldest') && looked < of
      ? ` Of the newest ${String(looked)} of ${String(of)}.`
      : '';
  const isRange = period !== null || input['status'] !== undefined;
  const where = sentence(onServer(asked).trim(), periodWords(period, now));
  const many = total === 1 ? ['is active', 'opened'] : ['are active', 'opened'];
  const isResolved = input['status'] === 'resolved';
  const verb = `${isResolved ? 'resolved by now ' : ''}${many[isRange ? 1 : 0] ?? ''}`;
  if (total === 0) return `**${sentence(`No ${level}alert ${isRange ? verb : 'is active'}`, where)}.**${among}`;
  const first = `**${sentence(`${plural(total, `${level}alert`)} ${verb}`, where)}.**${among}`;
  if (isCount) return first;
  const rows = rowsOf(content, 'alerts').slice(0, limit);
  const isBy = acknowledged === true;
  const list = table(
    ['level', 'server', 'alert', 'since', ...(isBy ? ['acknowledged by'] : [])],
    rows.map((row) => [
      cell(row['level']),
      cell(row['hostname']),
      cell(row['title']),
      sinceCell(row['since'], row['resolved_at'] !== null, now),
      ...(isBy ? [`${cell(row['acknowledged_by'])}, ${moment(row['acknowledged_at'], now)}`] : []),
    ]),
  );
  return `${first}\n\n${list}${shownOf(rows.length, total, input['order'] === 'oldest' ? 'oldest' : 'newest')}`;
};

export const events: Write = (content, asked, now) => {
  const { limit, period, isCount } = asked;
  const rows = rowsOf(content, 'events').slice(0, limit);
  const total = Number(content['total'] ?? rows.length);
  const when = period === null ? 'in the last 24 h' : periodWords(period, now);
  const where = sentence(onServer(asked).trim(), when);
  if (rows.length === 0) return `**No event is stored ${where}.**`;
  const head = `**${plural(total, 'event')} ${where}, newest first.**`;
  if (isCount) return head;
  return `${head}\n\n${table(
    ['time', 'server', 'event', 'message'],
    rows.map((row) => [moment(row['at'], now), cell(row['hostname']), cell(row['event_type']), cell(row['message'])]),
  )}${shownOf(rows.length, total)}`;
};

/** "Deployment shop/cart: image 1 → 2"; the row of a host names it already. */
function changeWords(row: Content): string {
  const { hostname, kind, name, namespace } = row;
  if (typeof name !== 'string' || name === hostname) return cell(row['title']);
  const whole = typeof namespace === 'string' ? `${namespace}/${name}` : name;
  return `${cell(kind)} ${escaped(whole)}: ${cell(row['title'])}`;
}

export const changes: Write = (content, asked, now) => {
  const rows = rowsOf(content, 'changes').slice(0, asked.limit);
  const total = Number(content['total'] ?? rows.length);
  const when = asked.period === null ? 'in the last 7 d' : periodWords(asked.period, now);
  const where = sentence(onServer(asked).trim(), when);
  const noun = asked.input['source'] === 'deploy' ? 'marked deploy' : 'change';
  if (rows.length === 0) return `**No ${noun} is stored ${where}.**`;
  return `**${plural(total, noun)} ${where}, newest first.**\n\n${table(
    ['time', 'where', 'change', 'by'],
    rows.map((row) => [
      moment(row['at'], now),
      cell(row['hostname'] ?? row['cluster']),
      changeWords(row),
      row['by'] === null ? 'not known' : cell(row['by']),
    ]),
  )}${shownOf(rows.length, total)}`;
};

const EVIDENCE_CHARACTERS = 400;
const lines = (value: unknown): Content[] => (Array.isArray(value) ? (value as Content[]) : []);

/** The likely cause of the newest alert. */
export const cause: Write = (content, asked) => {
  if (content['status'] === 'no_alert')
    return `**There is no alert${onServer(asked)}.** A cause is computed for alerts only.`;
  const [first] = rowsOf(content, 'causes');
  const about = `It is about the newest alert${onServer(asked)}: ${cell(content['about'])}.`;
  if (first === undefined) return `**No known pattern fits.** ${about}`;
  const evidence = lines(first['evidence']).map((line) => `- ${escaped(String(line['text']), EVIDENCE_CHARACTERS)}`);
  const next = inside(first['next'], 'text');
  return [
    `**Likely cause:** ${escaped(String(first['finding']), EVIDENCE_CHARACTERS)}`,
    about,
    ...(evidence.length === 0 ? [] : [`**Evidence:**\n${evidence.join('\n')}`]),
    ...(typeof next === 'string' ? [`**Next:** ${escaped(next, EVIDENCE_CHARACTERS)}`] : []),
  ].join('\n\n');
};

/** A rule of a figure has its name in that of the metric: "memory" in "memory_usage". */
export const rules: Write = (content, { figures, isCount, limit }) => {
  const isAsked = (row: Content): boolean =>
    figures.length === 0 || figures.some((figure) => String(row['metric']).includes(figure));
  const written = rowsOf(content, 'rules').filter(isAsked);
  const defaults = rowsOf(content, 'defaults').filter(isAsked);
  const total = figures.length === 0 ? Number(content['total'] ?? 0) : written.length;
  const head = `**${plural(total, 'alert rule')} written, ${plural(defaults.length, 'default')} where none is.**`;
  if (isCount) return head;
  const list = (rows: readonly Content[], kind: string): string[][] =>
    rows.map((row) => [kind, `${escaped(String(row['text']))}${row['enabled'] === false ? ' (off)' : ''}`]);
  return `${head}\n\n${table(['', 'rule'], [...list(written.slice(0, limit), 'written'), ...list(defaults, 'default')])}`;
};

const statusWord = (row: Content): string =>
  row['reason'] === null || row['status'] !== 'down'
    ? cell(row['status'])
    : `${cell(row['status'])}, ${reasonWords(row)}`;

/** "status unexpected, HTTP 502". */
function reasonWords({ reason, http_status: code }: Content): string {
  const words = cell(typeof reason === 'string' ? reason.replaceAll('_', ' ') : reason);
  return typeof code === 'number' ? `${words}, HTTP ${String(code)}` : words;
}

/** ": 5 up, 3 down". */
function statesOf(rows: readonly Content[]): string {
  const states = ['up', 'down', 'unknown', 'paused'].flatMap((state) => {
    const count = rows.filter(({ status }) => status === state).length;
    return count === 0 ? [] : [`${String(count)} ${state}`];
  });
  return states.length < 2 && rows.length !== 1 ? '' : `: ${states.join(', ')}`;
}

export const checks: Write = (content, { terms, input, isCount, limit }, now) => {
  const all = rowsOf(content, 'checks');
  const isBeat = terms.has('heartbeat');
  const isCertificate = terms.has('certificate');
  const days = (row: Content): number => Number(row['certificate_days'] ?? Infinity);
  const rows = isCertificate
    ? all.filter((row) => typeof row['certificate_days'] === 'number').toSorted((a, b) => days(a) - days(b))
    : all.filter((row) => !isBeat || row['kind'] === 'heartbeat');
  const noun = isBeat ? 'heartbeat' : isCertificate ? 'check with a certificate' : 'check';
  const many = isCertificate ? 'checks with a certificate' : `${noun}s`;
  const down = input['status'] === 'down' ? ' down' : '';
  const named = typeof input['search'] === 'string' ? ` with “${escaped(input['search'])}” in name or target` : '';
  const count = isBeat || isCertificate ? rows.length : Number(content['total'] ?? 0);
  if (count === 0) return `**No ${noun}${named} is ${down === '' ? 'known' : 'down'}.**`;
  const [first] = rows;
  const head =
    isCertificate && first !== undefined
      ? `**The certificate of ${cell(first['name'])} ends first, in ${plural(days(first), 'day')}.**`
      : input['by'] === 'slowest'
        ? first === undefined
          ? `**No check${named} has a response time now.**`
          : `**${cell(first['name'])} is the slowest check${named}: ${cell(first['total_ms'], ' ms')} in its last answer.**`
        : `**${plural(count, noun, many)}${named}${down}${down === '' ? statesOf(rows) : ''}.**`;
  if (isCount) return `**${plural(count, noun, many)}${named}${down}.**`;
  if (rows.length === 0) return head;
  return `${head}\n\n${table(
    [
      'check',
      'target',
      'status',
      'since',
      isBeat ? 'next call due' : isCertificate ? 'certificate ends in' : 'response',
    ],
    rows
      .slice(0, limit)
      .map((row) => [
        cell(row['name']),
        cell(row['target']),
        statusWord(row),
        sinceCell(row['since'], false, now),
        isBeat ? moment(row['due_at'], now) : isCertificate ? plural(days(row), 'day') : cell(row['total_ms'], ' ms'),
      ]),
  )}`;
};

export const maintenance: Write = (content, { isCount, limit }, now) => {
  const total = Number(content['total'] ?? 0);
  const rows = rowsOf(content, 'maintenance').slice(0, limit);
  if (total === 0) return '**No recurring maintenance is planned.**';
  const head = `**${plural(total, 'recurring maintenance', 'recurring maintenances')}.**`;
  if (isCount) return head;
  return `${head}\n\n${table(
    ['maintenance', 'when', 'status', 'next'],
    rows.map((row) => [
      cell(row['name']),
      cell(row['text']),
      cell(row['status']),
      moment(inside(lines(row['periods'])[0], 'starts_at'), now),
    ]),
  )}`;
};

/** "2 are planned: server web-1 from 2026-12-01 04:00 UTC to 2026-12-01 06:00 UTC …". */
function plannedWords(content: Content, now: number): string {
  const rows = rowsOf(content, 'planned');
  const total = Number(content['planned_total'] ?? 0);
  if (total === 0) return '';
  const each = rows.map(
    (row) => `${cell(row['text'])} from ${moment(row['starts_at'], now)} to ${moment(row['ends_at'], now)}`,
  );
  return ` ${total === 1 ? '1 is' : `${String(total)} are`} planned: ${each.join('; ')}${total > rows.length ? ' …' : ''}.`;
}

export const silences: Write = (content, { isCount, limit }, now) => {
  const total = Number(content['total'] ?? 0);
  const planned = plannedWords(content, now);
  if (total === 0) return `**No silence is active.**${planned}`;
  const head = `**${plural(total, 'silence')} ${total === 1 ? 'is' : 'are'} active.**${planned}`;
  if (isCount) return head;
  return `${head}\n\n${table(
    ['silenced', 'until', 'by', 'comment'],
    rowsOf(content, 'silences')
      .slice(0, limit)
      .map((row) => [
        cell(row['text']),
        moment(row['ends_at'], now),
        row['created_by'] === null ? 'not known' : cell(row['created_by']),
        row['comment'] === '' ? '' : cell(row['comment']),
      ]),
  )}`;
};
