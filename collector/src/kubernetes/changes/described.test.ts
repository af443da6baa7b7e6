import { describedObject } from '@plimsoll/contract/wire/described-object';
import { DESCRIBED_LIMITS, REST_PATH } from '@plimsoll/contract/rules/described-kinds';
import * as fc from 'fast-check';
import { describe as suite, expect, it } from 'vitest';
import { createDigester, describe, type Described, Fields, unpackState, wireObject } from './described.ts';

const digester = createDigester('plm_cluster_token');
const fieldsOf = (fill: (fields: Fields) => void, by = digester): [Record<string, string>, Record<string, string>] => {
  const fields = new Fields('uid-1', by);
  fill(fields);
  return unpackState(fields.state());
};

suite('Fields', () => {
  it('keeps scalars as text, objects as JSON, and leaves out what is absent or empty', () => {
    const [texts, digests] = fieldsOf((fields) => {
      fields.set('replicas', 3);
      fields.set('paused', false);
      fields.set('strategy', { type: 'Recreate' });
      for (const nothing of [undefined, null, '', {}, []]) fields.set('nothing', nothing);
    });
    expect(texts).toEqual({ replicas: '3', paused: 'false', strategy: '{"type":"Recreate"}' });
    expect(digests).toEqual({});
  });

  it('hides the value of a secret name and digests it, so that a change of it shows', () => {
    const of = (value: string) => fieldsOf((fields) => fields.set('parameters.adminPassword', value));
    const [texts, digests] = of('hunter2-of-the-cluster');
    expect(texts).toEqual({ 'parameters.adminPassword': '[redacted]' });
    expect(digests['parameters.adminPassword']).toMatch(/^[0-9a-f]{16}$/);
    expect(of('another')[1]).not.toEqual(digests);
    expect(of('hunter2-of-the-cluster')[1]).toEqual(digests);
  });

  it('redacts arguments and digests them', () => {
    const [texts, digests] = fieldsOf((fields) => fields.words('args', ['--db-password', 'hunter2', '--port', '80']));
    expect(texts.args).not.toContain('hunter2');
    expect(texts.args).toContain('--port 80');
    expect(digests).toHaveProperty('args');
  });

  it('cuts a long value and digests the whole of it', () => {
    const of = (end: string) => fieldsOf((fields) => fields.set('metrics', `${'metric '.repeat(200)}${end}`));
    expect(Buffer.byteLength(of('a')[0].metrics ?? '')).toBeLessThanOrEqual(DESCRIBED_LIMITS.valueBytes);
    expect(of('a')[0]).toEqual(of('b')[0]);
    expect(of('a')[1]).not.toEqual(of('b')[1]);
  });

  it('has one digest for everything beyond the limit', () => {
    const of = (last: string) =>
      fieldsOf((fields) => {
        for (let index = 0; index < 600; index += 1)
          fields.digest(`env.V${String(index)}`, index === 599 ? last : 'same');
      });
    expect(Object.keys(of('a')[1])).toHaveLength(DESCRIBED_LIMITS.fields);
    expect(of('a')[1][REST_PATH]).not.toBe(of('b')[1][REST_PATH]);
  });

  it('keeps an object of many long values within its bytes, and digests the rest', () => {
    const of = (last: string) =>
      fieldsOf((fields) => {
        for (let index = 0; index < 300; index += 1)
          fields.set(`f${String(index)}`, `${'word '.repeat(80)}${index === 299 ? last : ''}`);
      });
    expect(JSON.stringify(of('a')).length).toBeLessThan(2 * DESCRIBED_LIMITS.objectBytes);
    expect(of('a')[1][REST_PATH]).not.toBe(of('b')[1][REST_PATH]);
  });

  it('digests one value differently at two places and with two tokens', () => {
    const of = (path: string, token = 'a') => fieldsOf((fields) => fields.digest(path, 'x'), createDigester(token))[1];
    expect(of('env.A')['env.A']).not.toBe(of('env.B')['env.B']);
    expect(of('env.A', 'b')).not.toEqual(of('env.A'));
    expect(createDigester('a').key).not.toBe(createDigester('b').key);
  });

  it('any object: the report accepts it, and no digest is the value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 30 }), (entries) => {
        const object = { metadata: { uid: 'u', name: 'n', namespace: 'ns' } };
        const described = describe(object, 'ConfigMap', digester, (_object, fields) => fields.each('data', entries));
        expect(describedObject.safeParse(wireObject(described, 1, digester.key)).error).toBeUndefined();
      }),
    );
  });
});

suite('the head of an object', () => {
  const edit = (managedFields: object[]): Pick<Described, 'by' | 'editedAt'> => {
    const { by, editedAt } = describe(
      { metadata: { uid: 'u', name: 'n', managedFields } },
      'Service',
      digester,
      () => undefined,
    );
    return { by, editedAt };
  };

  it('names who wrote last, without those who write the status', () => {
    const fields = [
      { manager: 'helm', time: '2026-05-01T10:00:00Z' },
      { manager: 'kubectl-edit', time: '2026-05-01T11:00:00Z' },
      { manager: 'kube-controller-manager', time: '2026-05-01T12:00:00Z', subresource: 'status' },
    ];
    expect(edit(fields)).toEqual({ by: 'kubectl-edit', editedAt: Date.parse('2026-05-01T11:00:00Z') / 1000 });
    expect(edit([])).toEqual({ by: null, editedAt: null });
  });

  it('refuses an object without uid or name', () => {
    expect(() => describe({ metadata: { uid: 'u' } }, 'Service', digester, () => undefined)).toThrow('metadata.name');
  });
});
