import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChangeFeed } from '../live/change-feed.ts';
import { TestClock } from '../testing/app.ts';
import { JsonText } from './json-response.ts';
import { SharedAnswers } from './shared-answers.ts';
import { organisationIdOf } from '../tenancy/ids.ts';

const [A, B] = [organisationIdOf('a'), organisationIdOf('b')];

const LIST = '/api/servers/list';

function world() {
  const [clock, changes] = [new TestClock(0), new ChangeFeed()];
  const answers = new SharedAnswers({ changes, clock });
  let asked = 0;
  /** The how-manieth question this answer is of. */
  const ask = async (organisationId = A, question = LIST): Promise<string> =>
    (await answers.get(organisationId, question, () => Promise.resolve(new JsonText((asked += 1))))).text;
  const report = (organisationId = A) => changes.publish(organisationId, { topic: 'metrics', serverId: 's' });
  return { answers, changes, clock, ask, report };
}

describe('an answer', () => {
  it('is shared by those who ask the same at the same moment', async () => {
    const { ask } = world();
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['1', '1', '1']);
  });

  it('is of one organisation and of one question', async () => {
    const { ask } = world();
    expect([await ask(A), await ask(B), await ask(A, `${LIST}?limit=1`), await ask(A)]).toEqual(['1', '2', '3', '1']);
  });

  it('is given for three seconds, and not by a clock that was set back', async () => {
    const { ask, clock } = world();
    clock.pass(10);
    await ask();
    clock.pass(2.9);
    expect(await ask()).toBe('1');
    clock.pass(0.2);
    expect(await ask()).toBe('2');
    clock.pass(-5);
    expect(await ask()).toBe('3');
  });

  it('ends with a report', async () => {
    const { ask, report } = world();
    await ask();
    report(B);
    expect(await ask()).toBe('1');
    report();
    expect(await ask()).toBe('2');
  });

  it('outlives reports that come every second, but nothing that a person changes', async () => {
    const { ask, report, changes, clock } = world();
    await ask();
    for (let second = 0; second < 3; second += 1) {
      report();
      clock.pass(0.5);
    }
    expect(await ask()).toBe('1');
    for (const topic of ['servers', 'alerts'] as const) {
      const before = Number(await ask());
      changes.publish(A, { topic, serverId: null });
      expect(Number(await ask())).toBe(before + 1);
      report();
      expect(Number(await ask())).toBe(before + 1);
    }
    clock.pass(3);
    await ask();
    report();
    expect(await ask()).toBe('5');
  });

  it('that was asked before a change and comes after it is not kept', async () => {
    const { answers, ask } = world();
    const slow = Promise.withResolvers<JsonText>();
    const waiting = answers.get(A, LIST, () => slow.promise);
    answers.forget(A);
    slow.resolve(new JsonText('old'));
    expect((await waiting).text).toBe('"old"');
    expect(await ask()).toBe('1');
  });

  it('that was forgotten on its way takes no place', async () => {
    const { answers } = world();
    const large = () => Promise.resolve(new JsonText('x'.repeat(2e7)));
    const waiting = answers.get(A, LIST, large);
    answers.forget(A);
    await waiting;
    expect(await answers.get(A, LIST, large)).toBe(await answers.get(A, LIST, large));
  });

  it('that fails reaches all who wait, and the next one asks again', async () => {
    const { answers, ask } = world();
    const fail = () => answers.get(A, LIST, () => Promise.reject(new Error('no database')));
    expect(await Promise.allSettled([fail(), fail()])).toMatchObject([
      { reason: { message: 'no database' } },
      { reason: { message: 'no database' } },
    ]);
    expect(await ask()).toBe('1');
  });

  it('that is read once only is refused', async () => {
    const { answers } = world();
    await expect(answers.get(A, LIST, () => Promise.resolve(new Response('x')))).rejects.toThrow('cannot be shared');
  });

  it('is not kept where all together have more than 32 million characters', async () => {
    const { answers, ask } = world();
    const large = (question: string) => answers.get(A, question, () => Promise.resolve(new JsonText('x'.repeat(2e7))));
    await large('1');
    await large('2');
    expect((await large('1')).text.length).toBe(2e7 + 2);
    let again = 0;
    await answers.get(A, '2', () => Promise.resolve(new JsonText((again += 1))));
    expect(again).toBe(1);
    expect(await ask()).toBe('1');
  });
});

it('no answer is older than three seconds or than a change by a person, whatever happens', () => {
  const step = fc.record({
    what: fc.constantFrom('ask', 'report', 'person', 'write', 'wait'),
    of: fc.constantFrom(A, B),
    ms: fc.integer({ min: 0, max: 4000 }),
  });
  return fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { answers, changes, clock } = world();
      const changedAt = new Map<string, number>();
      const given: { of: string; age: number; isOfAnother: boolean; isOlderThanChange: boolean }[] = [];
      for (const [order, { what, of, ms }] of steps.entries()) {
        const answer = () => Promise.resolve(new JsonText([of, clock.now(), order]));
        if (what === 'wait') clock.pass(ms / 1000);
        if (what === 'write') answers.forget(of);
        if (what === 'report') changes.publish(of, { topic: 'metrics', serverId: null });
        if (what === 'person') changes.publish(of, { topic: 'alerts', serverId: null });
        if (what === 'write' || what === 'person') changedAt.set(of, order);
        if (what !== 'ask') continue;
        const { text } = await answers.get(of, LIST, answer);
        const [account, askedAt, since] = JSON.parse(text) as [string, number, number];
        const isOlderThanChange = since < (changedAt.get(of) ?? 0);
        given.push({ of, age: clock.now() - askedAt, isOfAnother: account !== of, isOlderThanChange });
      }
      expect(given.filter((one) => one.age >= 3000 || one.isOfAnother || one.isOlderThanChange)).toEqual([]);
    }),
  );
});
