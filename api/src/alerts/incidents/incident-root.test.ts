import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { placeAlert, type Subject } from './incident-root.ts';

const server: Subject = { key: 'server:1', parent: null };
const node: Subject = { key: 'node:1', parent: server };
const pod: Subject = { key: 'pod:1', parent: node };
const down =
  (...keys: string[]) =>
  (key: string) =>
    keys.includes(key);

it('an alert of a subject whose parents are up is an incident of its own', () => {
  expect(placeAlert(pod, false, down())).toEqual({ root: 'pod:1', isFolded: false });
  expect(placeAlert(server, false, down())).toEqual({ root: 'server:1', isFolded: false });
});
it('a host that is down folds its node, its pods and its other alerts', () => {
  for (const subject of [server, node, pod])
    expect(placeAlert(subject, false, down('server:1'))).toEqual({ root: 'server:1', isFolded: true });
  expect(placeAlert(server, true, down('server:1'))).toEqual({ root: 'server:1', isFolded: false });
  expect(placeAlert(node, true, down('server:1', 'node:1'))).toEqual({ root: 'server:1', isFolded: true });
});
it('a node that is not ready folds the alerts of its pods, and not those of its host', () => {
  expect(placeAlert(pod, false, down('node:1'))).toEqual({ root: 'node:1', isFolded: true });
  expect(placeAlert(node, true, down('node:1'))).toEqual({ root: 'node:1', isFolded: false });
  expect(placeAlert(server, false, down('node:1'))).toEqual({ root: 'server:1', isFolded: false });
});
it('in any chain, one alert of each incident is not folded: that of its root', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }), (chain) => {
      let above: Subject | null = null;
      const subjects = chain.map((_, index): Subject => (above = { key: String(index), parent: above }));
      const isDown = (key: string): boolean => chain[Number(key)] === true;
      const first = chain.indexOf(true);
      for (const [index, subject] of subjects.entries()) {
        const isBelow = first !== -1 && index >= first;
        const place = placeAlert(subject, isDown(subject.key), isDown);
        expect(place).toEqual({ root: String(isBelow ? first : index), isFolded: isBelow && index !== first });
      }
    }),
  );
});
