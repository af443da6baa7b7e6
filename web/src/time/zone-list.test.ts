import { expect, it } from 'vitest';
import { zoneList, zoneToday } from './zone-list.ts';

/** The zone a browser takes a name for. */
const meaning = (zone: string) => new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;

it('calls cities by the names of today, each once and in order, UTC first', () => {
  const zones = zoneList();
  expect(zones[0]).toBe('UTC');
  expect(zones).toEqual(expect.arrayContaining(['Asia/Kolkata', 'Europe/Kyiv', 'America/Nuuk', 'Europe/Berlin']));
  expect(zones).not.toContain('Asia/Calcutta');
  expect(new Set(zones).size).toBe(zones.length);
  expect(zones.slice(1)).toEqual(zones.slice(1).toSorted());
  expect(zoneList(['UTC', 'Asia/Saigon', 'Asia/Ho_Chi_Minh'])).toEqual(['UTC', 'Asia/Ho_Chi_Minh']);
});

it('means the zone the browser listed', () => {
  for (const listed of Intl.supportedValuesOf('timeZone')) expect(meaning(zoneToday(listed))).toBe(meaning(listed));
});
