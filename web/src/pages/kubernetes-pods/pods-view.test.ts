import { describe, expect, it } from 'vitest';
import { isFiltered, parsePodsView, podOfKey, podsQueryOf, withPodsView } from './pods-view.ts';

const of = (text: string) => new URLSearchParams(text);

describe('the pods page in its address', () => {
  it('says nothing while everything is as usual', () => {
    expect(withPodsView(of(''), { view: 'list', sort: 'state', order: 'asc' }).toString()).toBe('');
    expect(isFiltered(parsePodsView(of('')))).toBe(false);
  });
  it('keeps what it does not know, among it the cluster', () => {
    expect(withPodsView(of('cluster=c1'), { phase: 'Failed' }).toString()).toBe('cluster=c1&phase=Failed');
  });
  it('goes back to the first page when a filter changes, not when a pod opens', () => {
    expect(withPodsView(of('offset=200'), { namespace: 'shop' }).get('offset')).toBeNull();
    expect(withPodsView(of('offset=200'), { pod: 'c/n/p' }).get('offset')).toBe('200');
    expect(withPodsView(of('offset=200'), { offset: 300 }).get('offset')).toBe('300');
  });
  it('reads rubbish as the usual', () => {
    expect(parsePodsView(of('phase=Broken&sort=colour&offset=-1&view=tree&order=up'))).toEqual(parsePodsView(of('')));
  });
  it('asks the server for the page and the filters', () => {
    const view = parsePodsView(of('search=api&owner=none&offset=100&sort=cpu&order=asc'));
    expect(podsQueryOf(view, 'c1')).toEqual({
      limit: 100,
      offset: 100,
      sort: 'cpu',
      order: 'asc',
      cluster_id: 'c1',
      search: 'api',
      owner_kind: 'none',
    });
  });
  it('takes a key apart and refuses what is none', () => {
    expect(podOfKey('c1/shop/api-1')).toEqual({ clusterId: 'c1', namespace: 'shop', name: 'api-1' });
    expect(podOfKey('c1/shop')).toBeNull();
    expect(podOfKey('c1/shop/a/b')).toBeNull();
    expect(podOfKey(null)).toBeNull();
  });
});

describe('the address of the pods page', () => {
  it('keeps the page while a pod opens on it, also with the page in the same change', () => {
    const next = withPodsView(of('offset=200&search=a'), { pod: 'c/n/p', offset: 200 });
    expect(next.get('offset')).toBe('200');
    expect(withPodsView(of('offset=200&pod=c/n/p'), { pod: null }).toString()).toBe('offset=200');
    expect(withPodsView(of('offset=200'), { offset: 100 }).get('offset')).toBe('100');
    expect(withPodsView(of('offset=200'), { sort: 'cpu', offset: 0 }).get('offset')).toBeNull();
  });

  it('does not filter by spaces, and sends no space around a word', () => {
    const view = parsePodsView(of('search=%20api%20'));
    expect([isFiltered(view), podsQueryOf(view, null).search]).toEqual([true, 'api']);
    const blank = parsePodsView(of('search=%20'));
    expect([isFiltered(blank), podsQueryOf(blank, null)]).toEqual([
      false,
      { limit: 100, offset: 0, sort: 'state', order: 'asc' },
    ]);
  });

  it('takes a key with an empty part for none', () => {
    expect(['//', 'c//p', '/n/p', 'c/n/', ''].map(podOfKey)).toEqual([null, null, null, null, null]);
  });
});
