import type { ContainersSummary } from '@plimsoll/contract/wire/containers';
import { describe, expect, it } from 'vitest';
import {
  isFiltered,
  NO_FILTERS,
  parseView,
  summarySentence,
  withView,
  type ContainersView,
} from './containers-view.ts';

const parse = (text: string) => parseView(new URLSearchParams(text));
const changed = (text: string, change: Partial<ContainersView>) =>
  decodeURIComponent(withView(new URLSearchParams(text), change).toString());

describe('the address of the Containers page', () => {
  it('says nothing of the plain view', () => {
    expect(changed('', parse(''))).toBe('');
    expect(isFiltered(parse(''))).toBe(false);
  });

  it('brings back what was chosen', () => {
    const view: ContainersView = {
      search: 'redis 7',
      state: 'running',
      sort: 'name',
      hidden: true,
      host: 'h1',
      image: 'redis:7',
      project: 'shop',
      group: 'image',
      offset: 200,
    };
    expect(parseView(withView(new URLSearchParams(), view))).toEqual(view);
  });

  it('ignores what no version of the page wrote', () => {
    expect(parse('state=on-fire&sort=luck&group=moon&hidden=1&offset=-1')).toEqual(parse(''));
    expect(['-100', '1.5', 'NaN', '1e99', ''].map((offset) => parse(`offset=${offset}`).offset)).toEqual([
      0, 0, 0, 0, 0,
    ]);
  });

  it('begins at the first page with another filter, order or grouping, but not on the next page', () => {
    expect(changed('search=a&offset=200', { search: 'b' })).toBe('search=b');
    expect(changed('offset=200', { sort: 'name' })).toBe('sort=name');
    expect(changed('search=a&offset=200', { offset: 300 })).toBe('search=a&offset=300');
    expect(changed('offset=100', { offset: 0 })).toBe('');
  });

  it('keeps the parameters of the frame: the scope and the moment', () => {
    expect(changed('scope=env=prod&at=2026-11-20T03:12Z&image=redis', { image: '' })).toBe(
      'scope=env=prod&at=2026-11-20T03:12Z',
    );
  });

  it('is without filters once each of them is gone, whatever the order', () => {
    const filtered = 'search=a&state=running&host=h&image=i&project=p&sort=name';
    expect(isFiltered(parse(filtered))).toBe(true);
    expect(changed(filtered, NO_FILTERS)).toBe('sort=name');
    for (const name of ['search=a', 'state=running', 'host=h', 'image=i', 'project=p'])
      expect([name, isFiltered(parse(name))]).toEqual([name, true]);
    expect(isFiltered(parse('sort=name&hidden=true&group=image&offset=100'))).toBe(false);
  });
});

describe('the sentence above the list', () => {
  const NONE: ContainersSummary = {
    total: 412,
    hosts: 61,
    servers: 240,
    running: 400,
    broken: 0,
    over_line: 0,
    near_line: 0,
    no_limit: 0,
    late: 0,
    hidden: 0,
  };

  it('names what needs a person, and nothing that is nought', () => {
    expect(summarySentence({ ...NONE, broken: 2, over_line: 1, no_limit: 18, late: 3 })).toBe(
      '412 containers on 61 of 240 hosts. 2 broken, 1 over the memory line, 18 without a limit, 3 on hosts that do not report.',
    );
    expect(summarySentence(NONE)).toBe('412 containers on 61 of 240 hosts. None broken.');
    expect(summarySentence({ ...NONE, no_limit: 1 })).toBe(
      '412 containers on 61 of 240 hosts. None broken, 1 without a limit.',
    );
  });

  it('judges no containers where there are none', () => {
    expect(summarySentence({ ...NONE, total: 0, hosts: 0, servers: 1 })).toBe('0 containers on 0 of 1 host.');
    expect(summarySentence({ ...NONE, total: 1, hosts: 1 })).toBe('1 container on 1 of 240 hosts. None broken.');
  });
});
