import type { CSSProperties } from 'react';

/** Values for CSS custom properties: one class serves every value. `{v: 71}` is `--v: 71`. */
export function cssVars(values: Record<string, string | number>): CSSProperties {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`--${name}`, value])) as CSSProperties;
}
