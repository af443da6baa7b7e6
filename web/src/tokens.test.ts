import { describe, expect, it } from 'vitest';
import { DARK, LIGHT, PRIMARY } from './tokens.ts';

type Rgb = readonly [number, number, number];
const WHITE = '#ffffff';

/** The parts of "#rrggbb" or "#rrggbbaa", each 0–1. */
function partsOf(colour: string): [number, number, number, number] {
  const digits = /^#([0-9a-f]{6})([0-9a-f]{2})?$/.exec(colour);
  if (digits === null) throw new Error(`"${colour}" is no colour`);
  const part = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16) / 255;
  return [part(1), part(3), part(5), digits[2] === undefined ? 1 : part(7)];
}

/** A colour as it is seen on an opaque one below it. */
function seen(colour: string, below: Rgb = [0, 0, 0]): Rgb {
  const [red, green, blue, alpha] = partsOf(colour);
  const mix = (over: number, under: number) => over * alpha + under * (1 - alpha);
  return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2])];
}

/** Relative luminance of WCAG 2.2. */
function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** 1:1 for equal colours, 21:1 for black on white: the measure itself is held to the definition. */
it('measures contrast as WCAG does', () => {
  expect(contrast(seen('#000000'), seen(WHITE))).toBeCloseTo(21, 5);
  expect(contrast(seen('#777777'), seen('#777777'))).toBe(1);
  expect(contrast(seen('#767676'), seen(WHITE))).toBeCloseTo(4.54, 2);
});

describe.each([
  ['dark', DARK],
  ['light', LIGHT],
] as const)('the %s scheme', (_, scheme) => {
  const { load } = scheme;
  const grounds = { page: scheme.bg, panel: scheme.surface, 'a selected row': scheme.raised };
  const texts = {
    ink: scheme.ink,
    text2: scheme.text2,
    text3: load.text3,
    link: scheme.link,
    okText: load.okText,
    nearText: load.nearText,
    overText: load.overText,
  };
  const pairs = Object.entries(grounds).flatMap(([where, ground]) =>
    Object.entries(texts).map(([name, text]) => ({ name, text, where, ground })),
  );

  it.each(pairs)('reads $name on $where', ({ text, ground }) => {
    expect(contrast(seen(text), seen(ground))).toBeGreaterThanOrEqual(4.5);
  });

  it.each([
    ['near', load.nearText, load.nearTint],
    ['over', load.overText, load.overTint],
    ['a message', scheme.ink, load.overTint],
    ['its detail', scheme.text2, load.overTint],
    ['a hint', scheme.ink, load.infoTint],
  ])('reads %s on its tint', (__, text, tint) => {
    expect(contrast(seen(text), seen(tint, seen(scheme.surface)))).toBeGreaterThanOrEqual(4.5);
  });

  it.each([
    ['ok', load.ok],
    ['near', load.near],
    ['over', load.over],
    ['stale', load.stale],
  ])('tells the %s fill from its track', (__, fill) => {
    expect(contrast(seen(fill), seen(load.track))).toBeGreaterThanOrEqual(3);
  });

  it.each(Object.entries(load).filter(([name]) => /^series\d$/.test(name)))('tells %s from the panel', (__, colour) => {
    expect(contrast(seen(colour), seen(scheme.surface))).toBeGreaterThanOrEqual(3.3);
  });

  it('draws the line in ink, farther from every fill than a fill is from its track', () => {
    expect(load.line).toBe(scheme.ink);
    expect(contrast(seen(load.line), seen(scheme.surface))).toBeGreaterThanOrEqual(15);
  });

  it('shows where an input ends and where the focus is', () => {
    expect(contrast(seen(load.control), seen(scheme.surface))).toBeGreaterThanOrEqual(3);
    expect(contrast(seen(scheme.link), seen(scheme.surface))).toBeGreaterThanOrEqual(3);
  });

  it('gives each series a colour of its own', () => {
    const series = Object.entries(load).flatMap(([name, colour]) => (/^series\d$/.test(name) ? [colour] : []));
    expect(new Set(series).size).toBe(8);
  });
});

describe('the primary colour', () => {
  it('is a fill with white on it, and would fail as text on the dark panel', () => {
    expect(contrast(seen(WHITE), seen(PRIMARY))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(seen(PRIMARY), seen(DARK.surface))).toBeLessThan(4.5);
  });
  it('is what the specification names', () => expect(PRIMARY).toBe('#2563eb'));
});
