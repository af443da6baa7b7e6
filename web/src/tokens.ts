/** The colours of the product, one object per scheme. Contrast on `surface`: text ≥ 5.6, fills on `track` ≥ 3.0. */
export interface LoadPalette {
  ok: string;
  okText: string;
  near: string;
  nearText: string;
  over: string;
  overText: string;
  stale: string;
  track: string;
  /** The load line: ink, never another colour. */
  line: string;
  /** The critical line and the edge of an input. */
  control: string;
  /** The edge of buttons, chips and menus. */
  edge: string;
  text3: string;
  okTint: string;
  nearTint: string;
  overTint: string;
  infoTint: string;
  series1: string;
  series2: string;
  series3: string;
  series4: string;
  series5: string;
  series6: string;
  series7: string;
  series8: string;
}

export const DARK = {
  bg: '#0b0e13',
  surface: '#11151c',
  raised: '#181e28',
  border: '#222a36',
  ink: '#e8ecf2',
  text2: '#a9b4c2',
  link: '#60a5fa',
  load: {
    ok: '#288d7a',
    okText: '#4cc39a',
    near: '#f0b429',
    nearText: '#f0b429',
    over: '#ff6f61',
    overText: '#ff6f61',
    stale: '#76839a',
    track: '#2a3340',
    line: '#e8ecf2',
    control: '#5b6778',
    edge: '#323c4b',
    text3: '#8592a4',
    okTint: '#4cc39a1a',
    nearTint: '#f0b4291a',
    overTint: '#ff6f611a',
    infoTint: '#60a5fa1a',
    series1: '#60a5fa',
    series2: '#f2b8d0',
    series3: '#3f9c98',
    series4: '#81bd90',
    series5: '#7b5b9e',
    series6: '#a1553e',
    series7: '#cdccfe',
    series8: '#b1a64c',
  } satisfies LoadPalette,
} as const;

export const LIGHT = {
  bg: '#f5f6f8',
  surface: '#ffffff',
  raised: '#f0f2f5',
  border: '#dfe3ea',
  ink: '#10151d',
  text2: '#475264',
  link: '#1d4ed8',
  load: {
    ok: '#0c8577',
    okText: '#0b7568',
    near: '#c27100',
    nearText: '#8a5a00',
    over: '#b42318',
    overText: '#b42318',
    stale: '#6b7789',
    track: '#e4e8ee',
    line: '#10151d',
    control: '#7b8798',
    edge: '#c8cfd9',
    text3: '#5d697b',
    okTint: '#0b756812',
    nearTint: '#c2710017',
    overTint: '#b4231812',
    infoTint: '#1d4ed812',
    series1: '#2563eb',
    series2: '#c25a94',
    series3: '#0b6b66',
    series4: '#3e2a86',
    series5: '#94902f',
    series6: '#81673f',
    series7: '#6d2b00',
    series8: '#70947a',
  } satisfies LoadPalette,
} as const;

/** Fills only: white on it is 5.2:1; as text on dark it would be 3.6:1. */
export const PRIMARY = '#2563eb';
export const SANS = '"Inter Variable", system-ui, sans-serif';
export const MONO = '"JetBrains Mono Variable", ui-monospace, monospace';
