import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { causeAnswer, type CauseAnswer } from '@plimsoll/contract/wire/causes';
import type { Evidence } from './evidence.ts';
import { explain } from './explain.ts';
import { AT, ago, change, field, healthyShop, hiddenField, podOf } from './testing/shop.ts';
import { SHOP_FAULTS } from './testing/shop-faults.ts';

/** "orders", or "orders:Service" where a workload has the same name. */
const namesOf = ({ causes }: CauseAnswer): string[] =>
  causes.flatMap(({ entities }) =>
    entities.map(({ name, object_kind: kind }) => (kind === 'Service' ? `${name}:Service` : name)),
  );

describe('faults of the shop', () => {
  it.each(SHOP_FAULTS)('names the guilty of $id and nothing else', ({ evidence, guilty }) => {
    const answer = explain(evidence);
    expect([namesOf(answer).toSorted(), answer.causes.map(({ finding }) => finding)]).toEqual([
      [...guilty].toSorted(),
      expect.anything(),
    ]);
    expect(answer.status).toBe('found');
  });
});

const NEIGHBOURS = ['front', 'orders', 'payments', 'redis', 'consumer', 'loadgen'];
/** The pods of an app became ready, and stayed so. */
const became = (app: string, minutes: number) =>
  change('EndpointSlice', `${app}-abcde`, minutes, [field('readyAddresses', '0', '2')]);

describe('faults between harmless changes', () => {
  it.each(SHOP_FAULTS)(
    'names the guilty of $id though five neighbours were rolled out before',
    ({ evidence, guilty }) => {
      const decoys = NEIGHBOURS.filter((app) => !guilty.some((one) => one.startsWith(app))).flatMap((app, index) => [
        change('Deployment', app, 12 + index, [
          index % 2 === 0 ? hiddenField('containers.app.env.MOTTO') : field('containers.app.image', 'a:1', 'a:2'),
        ]),
        became(app, 11 + index),
      ]);
      const settings = change('ConfigMap', 'settings', 9, [hiddenField('data.MOTTO')]);
      const answer = explain({ ...evidence, changes: [...evidence.changes, ...decoys, settings] });
      expect(namesOf(answer).toSorted()).toEqual([...guilty].toSorted());
    },
  );

  it.each(SHOP_FAULTS)('names the guilty of $id in a shop that was made minutes before', ({ evidence, guilty }) => {
    const made = NEIGHBOURS.flatMap((app) => [
      change('Deployment', app, 14, [], { action: 'added' }),
      change('Service', app, 14, [], { action: 'added' }),
      became(app, 13),
    ]);
    const answer = explain({ ...evidence, changes: [...evidence.changes, ...made] });
    expect(namesOf(answer).toSorted()).toEqual([...guilty].toSorted());
  });
});

/** The first cause, to be compared. */
const firstOf = (evidence: Evidence): string =>
  JSON.stringify(explain(evidence).causes.map(({ mechanism, entities }) => [mechanism, entities])[0] ?? null);
const anyFault = fc.constantFrom(...SHOP_FAULTS);
const name = fc.string({ minLength: 1, maxLength: 40 });

describe('rules of the answer', () => {
  it('accuses nothing while all is well, whatever changed', () => {
    const changes = [
      change('Deployment', 'orders', 8, [field('containers.app.image', 'shop/orders:0.9', 'shop/orders:1.0')]),
      change('Service', 'orders', 7, [field('ports', '80→8081/TCP', '8081→8081/TCP')]),
    ];
    const answer = explain({ ...healthyShop(), changes });
    expect([answer.status, answer.causes, answer.symptoms]).toEqual(['not_found', [], 0]);
  });

  it('does not depend on the order of what was read', () => {
    fc.assert(
      fc.property(anyFault, fc.infiniteStream(fc.nat()), ({ evidence }, numbers) => {
        const shuffled = <T>(list: readonly T[]): T[] =>
          list
            .map((one) => ({ one, place: numbers.next().value ?? 0 }))
            .toSorted((a, b) => a.place - b.place)
            .map(({ one }) => one);
        const mixed: Evidence = {
          ...evidence,
          alerts: shuffled(evidence.alerts),
          objects: shuffled(evidence.objects),
          changes: shuffled(evidence.changes),
          pods: shuffled(evidence.pods),
          nodes: shuffled(evidence.nodes),
          workloads: shuffled(evidence.workloads),
          events: shuffled(evidence.events),
          claims: shuffled(evidence.claims),
          lines: shuffled(evidence.lines),
        };
        expect(explain(mixed)).toEqual(explain(evidence));
      }),
      { numRuns: 60 },
    );
  });

  it('is not moved by what happens elsewhere', () => {
    fc.assert(
      fc.property(
        anyFault,
        name,
        fc.integer({ min: 0, max: 55 }),
        fc.boolean(),
        ({ evidence }, other, minutes, sick) => {
          const app = { name: other, namespace: 'elsewhere', port: 80 };
          const pod = podOf(app, 0, { ready: !sick, node: null });
          const more: Evidence = {
            ...evidence,
            pods: [...evidence.pods, pod],
            changes: [
              ...evidence.changes,
              change('Deployment', other, minutes, [field('containers.app.image', 'a:1', 'a:2')], {
                namespace: 'elsewhere',
              }),
              change('Service', other, minutes, [field('selector.app', 'a', 'b')], { namespace: 'elsewhere' }),
            ],
          };
          expect(firstOf(more)).toBe(firstOf(evidence));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('never names a change that came after all symptoms', () => {
    fc.assert(
      fc.property(anyFault, fc.integer({ min: 1, max: 60 }), ({ evidence }, late) => {
        const shifted = evidence.changes.map((one) => ({ ...one, at: AT + late * 60 }));
        const { causes } = explain({ ...evidence, changes: shifted });
        expect(causes.flatMap(({ change_id: id }) => id ?? [])).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('survives hostile texts, and leaves them in text fields', () => {
    const hostile = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '[x](javascript:alert(1))',
        '<img src=x onerror=alert(1)>',
        '`rm -rf /`',
        '"; DROP TABLE pod; --',
        '\u202Etxt',
        '('.repeat(500),
      ),
    );
    fc.assert(
      fc.property(anyFault, hostile, ({ evidence }, text) => {
        const answer = explain({
          ...evidence,
          events: evidence.events.map((one) => ({ ...one, message: `${one.message} ${text}` })),
          lines: evidence.lines.map((one) => ({ ...one, text: `${text}${one.text}` })),
          alerts: evidence.alerts.map((one) => ({ ...one, title: text })),
        });
        expect(causeAnswer.safeParse(answer).success).toBe(true);
        const links = answer.causes.flatMap(({ entities }) => entities.flatMap(({ href }) => href ?? []));
        expect(links.filter((href) => !/^\/[a-z]+/.test(href))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('gives the same answer to evidence that went through JSON', () => {
    for (const { evidence } of SHOP_FAULTS) {
      const copy = JSON.parse(JSON.stringify(evidence)) as Evidence;
      expect(explain(copy)).toEqual(explain(evidence));
    }
  });

  it('blames the later of two rollouts when the first one went well', () => {
    const found = SHOP_FAULTS.find(({ id }) => id === 'target-port-wrong');
    const evidence = found?.evidence ?? healthyShop();
    const before = evidence.changes.concat(
      change('Deployment', 'front', 30, [field('containers.app.image', 'shop/front:0.9', 'shop/front:1.0')]),
    );
    const pods = evidence.pods.map((pod) => (pod.ownerName === 'front' ? { ...pod, createdAt: ago(30) } : pod));
    expect(namesOf(explain({ ...evidence, changes: before, pods }))).toEqual(['orders:Service']);
  });
});
