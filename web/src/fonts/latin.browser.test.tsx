import { beforeAll, expect, it } from 'vitest';
import interUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import monoUrl from '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?url';
import smallInterUrl from './inter-latin.woff2?url';
import smallMonoUrl from './jetbrains-mono-latin.woff2?url';

const FACES = { Inter: interUrl, 'Inter small': smallInterUrl, Mono: monoUrl, 'Mono small': smallMonoUrl };
const WEIGHTS = [400, 500, 600, 700] as const;
/** Every character of the range that prints, and what features join or replace. */
const RANGES = [
  [0x21, 0x7e],
  [0xa1, 0xff],
  [0x2010, 0x2027],
  [0x2030, 0x205e],
] as const;
const OTHERS = ['ı', 'Œ', 'œ', '€', '™', '↑', '↓', '−', '∕'];
const CHARACTERS = [
  ...RANGES.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, step) => String.fromCodePoint(from + step)),
  ),
  ...OTHERS,
];
const WORDS = ['10:45', '3x3', '->', '=>', 'Waiting for AVATAR', '-- --help', '1111', '0.42 %', 'e\u0301'];

/** Large, so that the grey of the edges is little. */
const SIZE_PX = 100;
/** Outlines and distances are rounded to the font's units when its range of weights is cut: of a thin line that is a fifth. */
const [MOST_SHARE, MOST_WIDTH_SHARE] = [0.25, 0.001];

beforeAll(async () => {
  for (const [name, url] of Object.entries(FACES)) {
    const face = new FontFace(name, `url(${url})`, { weight: '100 900' });
    document.fonts.add(await face.load());
  }
});

/** Draws a text and returns its pixels and its width in px. */
function drawn(text: string, family: string, weight: number): { pixels: Uint8ClampedArray; width: number } {
  const canvas = new OffscreenCanvas(SIZE_PX * (0.5 + text.length), SIZE_PX * 1.5);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('no canvas');
  context.font = `${String(weight)} ${String(SIZE_PX)}px "${family}"`;
  context.fillText(text, SIZE_PX / 10, SIZE_PX);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return { pixels: data, width: context.measureText(text).width };
}

/** Returns the share of the ink that differs; 1 if the widths differ. */
function difference(text: string, [one, other]: readonly [string, string], weight: number): number {
  const [a, b] = [drawn(text, one, weight), drawn(text, other, weight)];
  if (Math.abs(a.width - b.width) > MOST_WIDTH_SHARE * SIZE_PX * text.length) return 1;
  let [ink, differing] = [0, 0];
  // The opacity of each pixel: the text is black.
  for (let at = 3; at < a.pixels.length; at += 4) {
    const [left = 0, right = 0] = [a.pixels[at], b.pixels[at]];
    ink += left;
    differing += Math.abs(left - right);
  }
  return ink === 0 ? differing : differing / ink;
}

it.each([
  ['Inter', 'Inter small'],
  ['Mono', 'Mono small'],
] as const)('the small file of %s draws each character and each joined word as the package does', (...pair) => {
  const differing = WEIGHTS.flatMap((weight) =>
    [...CHARACTERS, ...WORDS].map((text) => ({ text, weight, share: difference(text, pair, weight) })),
  ).filter(({ share }) => share > MOST_SHARE);
  expect(differing).toEqual([]);
});

it('has figures of one width', () => {
  const draw = (family: string, text: string) => {
    const span = document.createElement('span');
    span.style.cssText = `font: 600 32px "${family}"; font-variant-numeric: tabular-nums; position: absolute`;
    span.textContent = text;
    document.body.append(span);
    const { width } = span.getBoundingClientRect();
    span.remove();
    return width;
  };
  expect(draw('Inter small', '1111')).toBe(draw('Inter small', '8888'));
  expect(draw('Inter small', '1111')).toBe(draw('Inter', '1111'));
});
