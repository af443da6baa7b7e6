import type { ChangeTopic } from '@plimsoll/contract/wire/events';
import type { Clock } from '../clock.ts';
import type { JsonText } from './json-response.ts';

/** Calls that the screens of a fleet repeat. Their answers follow from the organisation and the query, whoever asks. */
export const SHARED_CALLS: ReadonlySet<string> = new Set([
  '/api/servers/list',
  '/api/data/metrics/timeseries',
  '/api/data/metrics/sparks',
  '/api/data/network/timeseries',
  '/api/data/network/connections',
  '/api/data/processes',
  '/api/data/activity',
  '/api/data/notifications',
  '/api/incidents',
  '/api/kubernetes/cluster/overview',
  '/api/kubernetes/nodes',
  '/api/kubernetes/pods',
  '/api/kubernetes/owners',
  '/api/kubernetes/events',
]);

/** An answer is at most this old when another caller gets it, and an age in it as much too short. */
const SHARED_MS = 3000;
/** With so many reports in `SHARED_MS` the next change is at most seconds away, and browsers fetch again after it. */
const BUSY_REPORTS = 3;
/** Characters of all answers together; the answer of a fleet of 1,000 has 700,000. */
const MOST_CHARACTERS = 32_000_000;

/** Calls `listener` for each change of an account's data; returns what ends that. */
interface Changes {
  subscribe(organisationId: string, listener: (change: { topic: ChangeTopic }) => void): () => void;
}

interface Answer {
  askedAt: number;
  /** Changes of the account until then. */
  changes: number;
  json: Promise<JsonText>;
  /** 0 until it is known. */
  characters: number;
}

interface Account {
  answers: Map<string, Answer>;
  changes: number;
  /** Times of the last reports, the oldest first; at most `BUSY_REPORTS`. */
  reportedAt: number[];
  unsubscribe: () => void;
}

/**
 * Keeps for a moment what an organisation asked, so that twenty people who watch one fleet cost little more than one. A
 * change makes an answer stale at once. Only while reports arrive every second an answer outlives them, because browsers fetch
 * again after the next. What a person changes is never answered from before.
 */
export class SharedAnswers {
  readonly #accounts = new Map<string, Account>();
  readonly #changes: Changes;
  readonly #clock: Clock;
  #characters = 0;
  #willSweep = false;

  constructor({ changes, clock }: { changes: Changes; clock: Clock }) {
    this.#changes = changes;
    this.#clock = clock;
  }

  /** `question` names call and parameters. An answer that fails reaches all who wait for it, and is not kept. */
  get(organisationId: string, question: string, answer: () => Promise<JsonText | Response>): Promise<JsonText> {
    const account = this.#accounts.get(organisationId) ?? this.#follow(organisationId);
    const now = this.#clock.now();
    const known = account.answers.get(question);
    if (known !== undefined && isFresh(known, account, now)) return known.json;
    if (known !== undefined) this.#drop(account, question, known);
    return this.#ask(account, question, answer, now);
  }

  /** For calls that change something, which not every change is published of. */
  forget(organisationId: string): void {
    const account = this.#accounts.get(organisationId);
    if (account === undefined) return;
    for (const [question, known] of account.answers) this.#drop(account, question, known);
  }

  #ask(account: Account, question: string, answer: () => Promise<JsonText | Response>, now: number): Promise<JsonText> {
    const asked: Answer = { askedAt: now, changes: account.changes, json: answer().then(requireJson), characters: 0 };
    account.answers.set(question, asked);
    void this.#keep(account, question, asked);
    this.#sweepSoon();
    return asked.json;
  }

  async #keep(account: Account, question: string, asked: Answer): Promise<void> {
    try {
      const { text } = await asked.json;
      if (account.answers.get(question) !== asked) return;
      asked.characters = text.length;
      this.#characters += text.length;
      if (this.#characters > MOST_CHARACTERS) this.#drop(account, question, asked);
    } catch {
      // The callers that wait receive the error.
      this.#drop(account, question, asked);
    }
  }

  #follow(organisationId: string): Account {
    const onChange = ({ topic }: { topic: ChangeTopic }): void => {
      account.changes += 1;
      if (topic === 'servers' || topic === 'alerts') this.forget(organisationId);
      if (topic === 'metrics') account.reportedAt = [...account.reportedAt, this.#clock.now()].slice(-BUSY_REPORTS);
    };
    const unsubscribe = this.#changes.subscribe(organisationId, onChange);
    const account: Account = { answers: new Map(), changes: 0, reportedAt: [], unsubscribe };
    this.#accounts.set(organisationId, account);
    return account;
  }

  #drop(account: Account, question: string, answer: Answer): void {
    if (account.answers.get(question) !== answer) return;
    account.answers.delete(question);
    this.#characters -= answer.characters;
  }

  #sweepSoon(): void {
    if (this.#willSweep) return;
    this.#willSweep = true;
    setTimeout(() => {
      this.#willSweep = false;
      const now = this.#clock.now();
      for (const [id, account] of this.#accounts) {
        for (const [question, known] of account.answers) if (!isYoung(known, now)) this.#drop(account, question, known);
        if (account.answers.size > 0) continue;
        account.unsubscribe();
        this.#accounts.delete(id);
      }
      if (this.#accounts.size > 0) this.#sweepSoon();
    }, SHARED_MS).unref();
  }
}

/** A clock that was set back makes every answer old. */
const isYoung = ({ askedAt }: Answer, now: number): boolean => now >= askedAt && now - askedAt < SHARED_MS;

function isFresh(answer: Answer, { changes, reportedAt }: Account, now: number): boolean {
  if (!isYoung(answer, now)) return false;
  const [oldest = -Infinity] = reportedAt;
  return answer.changes === changes || (reportedAt.length === BUSY_REPORTS && now - oldest < SHARED_MS);
}

function requireJson(answer: JsonText | Response): JsonText {
  if (answer instanceof Response) throw new Error('A response can be read once, so it cannot be shared');
  return answer;
}
