import { describe, expect, it } from 'vitest';
import { sampleChange } from '../../testing/sample-change.ts';
import { paths } from '../../paths.ts';
import { changeLink, changeText, fieldName, subjectOf } from './change-words.ts';

describe('words of a change', () => {
  it.each([
    [sampleChange({}), 'Deployment shop/checkout: image 1.9.1 → 1.9.2'],
    [sampleChange({ action: 'gone', title: 'is gone', kind: 'Service' }), 'Service shop/checkout is gone'],
    [
      sampleChange({ source: 'host', kind: 'packages', hostname: 'web-01', title: 'openssl 3.0.1 → 3.0.2' }),
      'Packages of web-01: openssl 3.0.1 → 3.0.2',
    ],
    [sampleChange({ source: 'deploy', kind: 'deploy', title: 'checkout 1.9.2' }), 'Deployment: checkout 1.9.2'],
    [
      sampleChange({ kind: 'Node', namespace: null, name: 'node-1', title: 'cordoned no → yes' }),
      'Node node-1: cordoned no → yes',
    ],
  ])('%#', (change, words) => {
    expect(changeText(change)).toBe(words);
  });

  it('shows what would turn the text around', () => {
    expect(subjectOf(sampleChange({ name: 'a\u202eb' }))).not.toContain('\u202e');
    expect(fieldName('labels.\u202e')).not.toContain('\u202e');
  });

  it('leads to a workload or a server, and else nowhere', () => {
    expect(changeLink(sampleChange({}))).toBe('/kubernetes/workloads/c/shop/Deployment/checkout');
    expect(changeLink(sampleChange({ kind: 'Service' }))).toBeNull();
    expect(changeLink(sampleChange({ server_id: 'x', cluster_id: null }))).toBe('/servers/x');
  });

  it('names the container before its field', () => {
    expect(fieldName('containers.web.image')).toBe('web: image');
    expect(fieldName('replicas')).toBe('replicas');
  });
});

it('a list of one server, or of a range, is an address of the page', () => {
  expect(paths.changesOf({ server_id: 's', kind: undefined })).toBe('/changes?server=s');
  expect(paths.changesOf({ namespace: 'a b', from: 1, to: 2 })).toBe('/changes?namespace=a+b&from=1&to=2');
});

it('has no page for a workload without a namespace, and the page of the server for what is of a host', () => {
  expect(changeLink(sampleChange({ namespace: null }))).toBeNull();
  expect(changeLink(sampleChange({ cluster_id: null }))).toBeNull();
  expect(changeLink(sampleChange({ server_id: 's1', cluster_id: null, namespace: null }))).toBe(paths.server('s1'));
});
