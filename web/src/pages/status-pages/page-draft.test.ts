import { statusPageRequest, type StatusPageOnWire } from '@plimsoll/contract/wire/checks/status-pages';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyOf, draftOf, EMPTY_PAGE, KEEP } from './page-draft.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const END = '2026-12-01T00:00:00.000Z';
const SERVER = '00000000-0000-4000-8000-000000000001';
const CHECK = '00000000-0000-4000-8000-000000000005';
const PAGE: StatusPageOnWire = {
  page_id: '00000000-0000-4000-8000-000000000009',
  path: '/status/shop',
  title: 'Shop',
  message: 'Planned work on Sunday',
  servers: [{ server_id: SERVER, hostname: 'web-01', label: 'Web', group: 'EU' }],
  checks: [{ check_id: CHECK, name: 'checkout', label: null, group: null }],
  shows_names: true,
  shows_figures: false,
  shows_maintenance: true,
  is_indexable: false,
  is_published: true,
  expires_at: END,
  status: 'public',
  created_by: null,
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
};

const name = fc.option(fc.stringMatching(/^[A-Za-z][A-Za-z ]{0,10}[A-Za-z]$/));
const flags = {
  shows_names: fc.boolean(),
  shows_figures: fc.boolean(),
  shows_maintenance: fc.boolean(),
  is_indexable: fc.boolean(),
  is_published: fc.boolean(),
};

describe('the form of a status page', () => {
  it('that nobody changed sends the page as it is stored: each switch is its own', () => {
    fc.assert(
      fc.property(fc.record({ ...flags, label: name, group: name }), ({ label, group, ...switches }) => {
        const page: StatusPageOnWire = {
          ...PAGE,
          ...switches,
          checks: [{ check_id: CHECK, name: 'checkout', label, group }],
        };
        const body = bodyOf(draftOf(page), page.expires_at, NOW);
        expect(body).toEqual({
          title: 'Shop',
          message: 'Planned work on Sunday',
          servers: [{ server_id: SERVER, label: 'Web', group: 'EU' }],
          checks: [{ check_id: CHECK, label, group }],
          ...switches,
          expires_at: END,
        });
        expect(statusPageRequest.safeParse(body).success).toBe(true);
      }),
    );
  });

  it('keeps the order in which the servers stand on the page', () => {
    const other = '00000000-0000-4000-8000-000000000002';
    const draft = { ...draftOf(PAGE), serverIds: [other, SERVER] };
    expect(bodyOf(draft, END, NOW).servers).toEqual([
      { server_id: other, label: null, group: null },
      { server_id: SERVER, label: 'Web', group: 'EU' },
    ]);
  });

  it('has no public name where only spaces were typed', () => {
    const draft = { ...draftOf(PAGE), title: ' Shop ', labels: { [SERVER]: '  ' }, groups: { [SERVER]: ' EU ' } };
    expect(bodyOf(draft, END, NOW)).toMatchObject({
      title: 'Shop',
      servers: [{ server_id: SERVER, label: null, group: 'EU' }],
    });
  });

  it('publishes neither names nor figures of a new page before somebody says so', () => {
    expect(bodyOf(EMPTY_PAGE, null, NOW)).toMatchObject({
      shows_names: false,
      shows_figures: false,
      is_indexable: false,
      expires_at: null,
    });
  });
});

describe('the end of a page', () => {
  it('stays to the second, is counted in days from now, or is taken away', () => {
    const ended = (ends: string) => bodyOf({ ...draftOf(PAGE), ends }, END, NOW).expires_at;
    expect(ended(KEEP)).toBe(END);
    expect(ended('7')).toBe('2026-11-27T12:00:00.000Z');
    expect(ended('')).toBeNull();
  });

  it('that is over is not proposed again: the API refuses an end in the past', () => {
    expect(draftOf(PAGE).ends).toBe(KEEP);
    expect(draftOf({ ...PAGE, status: 'off' }).ends).toBe(KEEP);
    expect(draftOf({ ...PAGE, status: 'expired' }).ends).toBe('');
    expect(draftOf({ ...PAGE, expires_at: null }).ends).toBe('');
  });
});
