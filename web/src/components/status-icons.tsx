import { styled } from '@mui/material/styles';
import type { AlertLevel, ServerStatus } from '@plimsoll/contract/rules/limits';
import type { Band } from '@plimsoll/contract/rules/headroom';
import type { ReactNode } from 'react';

const Svg = styled('svg')(({ theme }) => ({
  flex: 'none',
  verticalAlign: '-1px',
  overflow: 'visible',
  '&[data-tone="ok"]': { color: theme.vars.palette.load.okText },
  '&[data-tone="near"]': { color: theme.vars.palette.load.nearText },
  '&[data-tone="over"]': { color: theme.vars.palette.load.overText },
  '&[data-tone="info"]': { color: theme.vars.palette.info.main },
  '&[data-tone="quiet"]': { color: theme.vars.palette.load.text3 },
}));

/** ▲ over, ◇ within 20 points, nothing when clear: the second cue beside the colour. */
export function BandIcon({ band, size = 10 }: { band: Band; size?: number }) {
  if (band === 'ok') return null;
  return (
    <Svg width={size} height={size} viewBox="0 0 10 10" data-tone={band} aria-hidden>
      {band === 'over' ? (
        <path d="M5 .8 9.6 9H.4Z" fill="currentColor" />
      ) : (
        <path d="M5 1.2 8.8 5 5 8.8 1.2 5Z" fill="none" stroke="currentColor" strokeWidth="1.6" />
      )}
    </Svg>
  );
}

const STATUS_TONE = {
  active: 'ok',
  installing: 'info',
  refused: 'over',
  offline: 'quiet',
  uninstalled: 'quiet',
} as const;

/** Filled dot, dashed ring, crossed ring, struck ring, dash. */
export function StatusIcon({ status, size = 10 }: { status: ServerStatus; size?: number }) {
  const tone = STATUS_TONE[status];
  return (
    <Svg width={size} height={size} viewBox="0 0 10 10" fill="none" stroke="currentColor" data-tone={tone} aria-hidden>
      {status === 'active' && <circle cx="5" cy="5" r="4" fill="currentColor" stroke="none" />}
      {status === 'installing' && <circle cx="5" cy="5" r="3.8" strokeWidth="1.6" strokeDasharray="2.2 1.8" />}
      {status === 'offline' && (
        <>
          <circle cx="5" cy="5" r="4" strokeWidth="1.3" />
          <path d="M2.2 7.8 7.8 2.2" strokeWidth="1.3" />
        </>
      )}
      {status === 'refused' && (
        <>
          <circle cx="5" cy="5" r="4" strokeWidth="1.3" />
          <path d="M3.4 3.4 6.6 6.6M6.6 3.4 3.4 6.6" strokeWidth="1.3" />
        </>
      )}
      {status === 'uninstalled' && <path d="M1 5h8" strokeWidth="1.6" />}
    </Svg>
  );
}

const LEVEL_TONE = { critical: 'over', error: 'over', warning: 'near', info: 'info' } as const;

/** Frame of 16 by 16 units, drawn in lines of the tone's colour. */
function LineIcon({
  size,
  tone,
  children,
}: {
  size: number;
  tone: 'over' | 'near' | 'info' | 'quiet';
  children: ReactNode;
}) {
  return (
    <Svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      data-tone={tone}
      aria-hidden
    >
      {children}
    </Svg>
  );
}

/** Filled octagon, ring with a mark, triangle, ring with an i. */
export function LevelIcon({ level, size = 16 }: { level: AlertLevel; size?: number }) {
  return (
    <LineIcon size={size} tone={LEVEL_TONE[level]}>
      {level === 'critical' && (
        <>
          <path d="M5.2 1.2h5.6l4 4v5.6l-4 4H5.2l-4-4V5.2Z" fill="currentColor" stroke="none" />
          <path d="M8 4.4v4.4M8 10.4v1.4" stroke="var(--mui-palette-background-paper)" strokeWidth="1.6" />
        </>
      )}
      {level === 'error' && (
        <>
          <circle cx="8" cy="8" r="6.3" />
          <path d="M8 4.6v4.2M8 10.2v1.3" strokeWidth="1.5" />
        </>
      )}
      {level === 'warning' && (
        <>
          <path d="M8 2 14.6 13.6H1.4Z" strokeLinejoin="round" />
          <path d="M8 6.2v3.6M8 11v1.2" strokeWidth="1.4" />
        </>
      )}
      {level === 'info' && (
        <>
          <circle cx="8" cy="8" r="6.3" />
          <path d="M8 7.2v4.2M8 4.6v1.3" strokeWidth="1.5" />
        </>
      )}
    </LineIcon>
  );
}

export function ResolvedIcon({ size = 16 }: { size?: number }) {
  return (
    <LineIcon size={size} tone="quiet">
      <circle cx="8" cy="8" r="6.3" />
      <path d="m5 8.2 2.1 2.1L11 6.2" />
    </LineIcon>
  );
}
