import { createElement } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { attributes, drawnMarkup, wordsOf } from '../testing/drawn-markup.tsx';
import { AlertRow } from './alert-row.tsx';
import { rowOfAlert } from '../format/incident-rows.ts';
import { StatusChip } from './chips.tsx';
import { EventRow } from './event-row.tsx';
import { Facts } from './facts.tsx';
import { Failure } from './feedback/feed-panel.tsx';
import { Figure } from './figure.tsx';
import { Region } from './flag.tsx';
import { BandIcon } from './status-icons.tsx';
import { HeadroomPhrase } from './fleet/headroom-phrase.tsx';
import { LabelledInput } from './form/labelled-input.tsx';
import { MiddleTruncate } from './middle-truncate.tsx';
import { Pager } from './pager.tsx';
import { ProcessStatus } from './processes/process-status.tsx';

const HIDDEN = 'evil\u202Egpj.exe\n';
const nothing = () => undefined;

describe('a figure', () => {
  it('stands with its unit', () => {
    expect(wordsOf(drawnMarkup(createElement(Figure, { value: '0.0', unit: '%' })))).toBe('0.0 %');
  });
  it('is N/A with its reason, never nought and never a bare unit', () => {
    const markup = drawnMarkup(createElement(Figure, { value: null, unit: '%', reason: 'macOS' }));
    expect(wordsOf(markup)).toBe('N/A, macOS');
    expect(attributes(markup, 'title')).toEqual(['macOS']);
    expect(wordsOf(drawnMarkup(createElement(Figure, { value: null, unit: '%' })))).toBe('N/A');
  });
  it('is N/A among facts, too', () => {
    const facts = [
      { name: 'Cores', value: null },
      { name: 'Load', value: 0 },
    ];
    expect(wordsOf(drawnMarkup(createElement(Facts, { facts })))).toBe('Cores N/A Load 0');
  });
});

describe('a long name', () => {
  const parts = (text: string) => attributes(drawnMarkup(createElement(MiddleTruncate, { text })), 'data-text');

  it('keeps its last six characters and loses none', () => {
    expect(parts('checkout-api-6b9f7c5d8d-x2wlq')).toEqual(['checkout-api-6b9f7c5d8d', '-x2wlq']);
    expect(wordsOf(drawnMarkup(createElement(MiddleTruncate, { text: '123456789012' })))).toBe('123456789012');
    expect(parts('1234567890123')).toEqual(['1234567', '890123']);
  });
  it('is whole on hover', () => {
    const text = 'ip-10-0-4-12.eu-central-1.compute.internal';
    expect(attributes(drawnMarkup(createElement(MiddleTruncate, { text })), 'title')).toEqual([text]);
  });
});

describe('headroom in words', () => {
  const head = (value: number) => ({ resource: 'cpu' as const, value, line: 80, points: 80 - value, subject: null });
  const phrase = (props: Parameters<typeof HeadroomPhrase>[0]) =>
    wordsOf(drawnMarkup(createElement(HeadroomPhrase, props)));

  it.each([
    [91, 'CPU · 11 over', 'CPU · 11 over the line'],
    [76, 'CPU · 4 below', 'CPU · 4 points below the line'],
    [80, 'CPU · at the line', 'CPU · at the line'],
    [79.5, 'CPU · 0.5 below', 'CPU · 0.5 points below the line'],
  ])('of %d is "%s", in full "%s"', (value, short, full) => {
    expect(phrase({ headroom: head(value) })).toBe(short);
    expect(phrase({ headroom: head(value), form: 'full' })).toBe(full);
  });
  it('gives way to the age of a silent server, whatever its last figure was', () => {
    expect(phrase({ headroom: head(99), staleSince: Date.now() - 7 * 60_000 })).toBe('Last report 7 min ago');
    expect(phrase({ headroom: head(99), staleSince: null })).toBe('No report yet');
    expect(phrase({ headroom: null })).toBe('No line set');
  });
  it('has a second cue beside its colour only where something is near or over', () => {
    const shapes = (['over', 'near', 'ok'] as const).map((band) =>
      attributes(drawnMarkup(createElement(BandIcon, { band })), 'd'),
    );
    expect(shapes.map((paths) => paths.length)).toEqual([1, 1, 0]);
    expect(shapes[0]).not.toEqual(shapes[1]);
  });
});

describe('states by name', () => {
  it.each([
    ['active', 'Active'],
    ['installing', 'Installing'],
    ['offline', 'Offline'],
    ['uninstalled', 'Uninstalled'],
    ['migrating', 'migrating'],
  ])('%s reads %s', (status, words) => {
    const markup = drawnMarkup(createElement(StatusChip, { status }));
    expect(wordsOf(markup)).toBe(words);
    expect(attributes(markup, 'data-tone')[1]).toBe({ active: 'ok', installing: 'info' }[status] ?? 'quiet');
  });

  it.each([
    ['R', 'Running', 'ok'],
    ['Z', 'Zombie', 'over'],
    ['D', 'Disk Sleep', 'near'],
    ['S', 'Sleeping', 'plain'],
    ['?', '?', 'plain'],
  ])('process %s reads %s', (letter, words, tone) => {
    const markup = drawnMarkup(createElement(ProcessStatus, { letter }));
    expect([wordsOf(markup), ...attributes(markup, 'data-tone')]).toEqual([words, tone]);
  });

  it('shows a region it knows with its flag, and one it does not by its name alone', () => {
    expect(drawnMarkup(createElement(Region, { region: 'eu-central-1' }))).toMatch(/<img[^>]* alt=""/);
    const unknown = drawnMarkup(createElement(Region, { region: 'basement' }));
    expect([wordsOf(unknown), unknown.includes('<img')]).toEqual(['basement', false]);
    expect(drawnMarkup(createElement(Region, { region: null }))).toBe('');
  });
});

describe('rows of what happened', () => {
  const now = Date.parse('2026-11-22T06:00:00Z') / 1000;
  beforeEach(() => vi.useFakeTimers({ now: now * 1000 }));
  afterEach(() => vi.useRealTimers());
  const alert = {
    alert_id: 'a',
    server_id: 's',
    level: 'critical' as const,
    title: 'CPU',
    message: 'CPU above 95 %',
    status: 'active' as const,
    timestamp: now - 130,
    resolved_at: null,
    metric_name: 'cpu_usage',
    current_value: 97.2,
    threshold_value: 95,
    acknowledged_at: null,
    acknowledged_by: null,
    acknowledged_by_id: null,
    acknowledged_note: null,
    silenced_until: null,
    silence_id: null,
    incident: null,
    rule_id: 'default-cpu',
    tags: { hostname: 'web-1' },
  };

  it('tell level, message, host, age and the value against its threshold', () => {
    expect(wordsOf(drawnMarkup(createElement(AlertRow, { row: rowOfAlert(alert) })))).toMatch(
      /^Critical: web-1 · CPU above 95 % .*2m 97\.2 % \/ 95 %$/,
    );
  });
  it('say N/A for a value nobody knows, and who has seen it', () => {
    const seen = { ...alert, current_value: null, acknowledged_at: new Date().toISOString() };
    expect(wordsOf(drawnMarkup(createElement(AlertRow, { row: rowOfAlert(seen) })))).toMatch(
      /web-1 .*acknowledged 2m N\/A$/,
    );
  });
  it('show what strangers named without its tricks', () => {
    const event = {
      id: 'e',
      server_id: 's',
      hostname: HIDDEN,
      event_type: 'config_change' as const,
      service_name: null,
      process_name: null,
      message: HIDDEN,
      severity: 'info' as const,
      timestamp: now - 30,
    };
    const words = wordsOf(drawnMarkup(createElement(EventRow, { event })));
    expect(words).toContain('evil\\u202Egpj.exe\\u000A');
    expect(words).not.toContain('\u202E');
  });
});

describe('a failure', () => {
  const asked = (status: number) => ({
    isPending: false,
    error: { message: 'hours must be 1 to 2160', status },
    errorUpdatedAt: Date.now(),
    refetch: nothing,
  });
  it('says what, when, and how to try again, as an alert', () => {
    const markup = drawnMarkup(createElement(Failure, { asked: asked(500) }));
    expect(attributes(markup, 'role')).toEqual(['alert']);
    expect(wordsOf(markup)).toMatch(/^hours must be 1 to 2160 The server answered 500\. Tried \d\d:\d\d:\d\d\. Retry$/);
  });
  it('tells no answer from a bad one', () => {
    expect(wordsOf(drawnMarkup(createElement(Failure, { asked: asked(0) })))).toContain('No answer came.');
    expect(drawnMarkup(createElement(Failure, { asked: { ...asked(0), error: null } }))).toBe('');
  });
  it('of a field stands under it and belongs to it', () => {
    const markup = drawnMarkup(
      createElement(LabelledInput, { label: 'Email', hint: 'yours', problem: 'No such address' }),
    );
    expect(wordsOf(markup)).toBe('Email No such address');
    const [described] = attributes(markup, 'aria-describedby');
    expect(attributes(markup, 'id')).toContain(described);
    expect(attributes(markup, 'aria-invalid')).toEqual(['true']);
  });
});

describe('pages of a list', () => {
  const pager = (offset: number, total: number) =>
    drawnMarkup(createElement(Pager, { offset, limit: 100, total, onOffset: nothing }));
  /** Which of the two buttons cannot be pressed. */
  const disabled = (markup: string) =>
    [...markup.matchAll(/<button[^>]*>/g)]
      .filter(([tag]) => tag.includes(' disabled='))
      .map(([tag]) => attributes(tag, 'aria-label')[0]);

  it.each([
    [0, 5000, '1–100 of 5,000', ['Previous page']],
    [100, 5000, '101–200 of 5,000', []],
    [4900, 5000, '4,901–5,000 of 5,000', ['Next page']],
    [200, 250, '201–250 of 250', ['Next page']],
  ])('at %d of %d say "%s"', (offset, total, words, stuck) => {
    expect(wordsOf(pager(offset, total))).toBe(words);
    expect(disabled(pager(offset, total))).toEqual(stuck);
  });
  it('are not offered where one page holds all', () => {
    expect(pager(0, 100)).not.toContain('<button');
    expect(wordsOf(pager(0, 0))).toBe('0 of 0');
  });
});
