import { MAX_HOURS, SERVER_STATUSES } from '@plimsoll/contract/rules/limits';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callbackError, callbackToken, setupCode } from './url-codes.ts';
import { momentText } from '../time/moment-input.ts';
import { safeReturnPath } from './return-path.ts';
import { COLUMN_SORTS, parseView, viewSearch } from '../pages/servers/servers-view.ts';
import { parseRange, rangeBounds, rangeLabel, rangeQuery, withRange } from '../time/range.ts';
import { chosenZone, dayAndTime, fullMoment } from '../time/zone.ts';

/** Any address that a person may type: known names with any values, and unknown names. */
const anySearch = (names: readonly string[]) =>
  fc
    .array(
      fc.tuple(
        fc.oneof(fc.constantFrom(...names), fc.string()),
        fc.oneof(
          fc.string(),
          fc.string({ unit: 'grapheme' }),
          fc.integer().map(String),
          fc.double().map(String),
          fc.constantFrom('', 'null', 'NaN', 'Infinity', '-1', '0', '1e309', '9007199254740991', '__proto__', 'cpu'),
        ),
      ),
      { maxLength: 8 },
    )
    .map((pairs) => new URLSearchParams(pairs));

describe('any address is a range', () => {
  beforeEach(() => chosenZone.set('UTC'));
  afterEach(() => chosenZone.set(null));
  const search = anySearch(['hours', 'from', 'to']);

  it('that the API understands', () => {
    fc.assert(
      fc.property(search, (text) => {
        const range = parseRange(text);
        const { from, to } = rangeBounds(range, Date.UTC(2026, 0));
        const hours = range.kind === 'relative' ? range.hours : 1;
        expect(to - from).toBeGreaterThanOrEqual(60);
        expect(hours).toBeGreaterThanOrEqual(1);
        expect(hours).toBeLessThanOrEqual(MAX_HOURS);
        expect(rangeLabel(hours)).toMatch(/^\d+[hd]$/);
        for (const value of Object.values(rangeQuery(range))) expect(Number.isSafeInteger(value)).toBe(true);
      }),
    );
  });

  it('whose ends can be written on the screen and in an input', () => {
    const ends = fc.tuple(fc.nat({ max: Number.MAX_SAFE_INTEGER }), fc.nat({ max: Number.MAX_SAFE_INTEGER }));
    fc.assert(
      fc.property(ends, ([from, to]) => {
        const range = parseRange(new URLSearchParams({ from: String(from), to: String(to) }));
        const bounds = rangeBounds(range, Date.UTC(2026, 0));
        for (const end of [bounds.from, bounds.to]) {
          expect(momentText(end)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
          expect(dayAndTime(end * 1000)).not.toBe('Unknown');
          expect(fullMoment(end * 1000)).not.toBe('Unknown');
        }
      }),
    );
  });

  it('that says the same when it is written again', () => {
    fc.assert(
      fc.property(search, (text) => {
        const range = parseRange(text);
        expect(parseRange(withRange(text, range))).toEqual(range);
      }),
    );
  });
});

describe('any address is a view of the fleet', () => {
  const search = anySearch(['view', 'search', 'status', 'region', 'load', 'sort', 'order']);

  it('made of what the page knows', () => {
    fc.assert(
      fc.property(search, (text) => {
        const view = parseView(text);
        expect(['cards', 'table']).toContain(view.view);
        expect(['', ...SERVER_STATUSES]).toContain(view.status);
        expect(['', 'over', 'near']).toContain(view.load);
        expect(COLUMN_SORTS).toContain(view.sort);
        expect(typeof view.descending).toBe('boolean');
      }),
    );
  });

  it('that comes back from the address it writes', () => {
    fc.assert(
      fc.property(search, (text) => {
        expect(parseView(viewSearch(parseView(text)))).toEqual(parseView(text));
      }),
    );
  });
});

describe('what a link brings along', () => {
  it('leads nowhere but into this interface', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((text) => `/${text}`),
        ),
        (text) => {
          const path = safeReturnPath(text);
          if (path === null) return;
          const url = new URL(path, 'https://plimsoll.example');
          expect(url.origin).toBe('https://plimsoll.example');
          expect(path ?? '/').not.toMatch(/^\/(?:login|auth|landing)(?:[/?#]|$)/);
        },
      ),
    );
  });

  it('is a code or nothing, and an error is never a sentence of a stranger', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (hash, query) => {
        expect(setupCode(`#${hash}`)?.trim()).not.toBe('');
        expect(callbackToken(`#${hash}`, `?${query}`)?.trim()).not.toBe('');
        expect(callbackError(`#error=${hash}`, `?error=${query}`) ?? 'none').toMatch(/^[a-z_]{1,60}$/);
      }),
    );
  });
});
