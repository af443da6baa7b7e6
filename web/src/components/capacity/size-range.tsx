import { styled } from '@mui/material/styles';
import { boundedPercentOf } from '@plimsoll/contract/rules/percent-of';
import type { SizedResource } from '@plimsoll/contract/wire/capacity';
import { cssVars } from '../css-vars.ts';

const Track = styled('span')(({ theme }) => {
  const { load } = theme.vars.palette;
  return {
    position: 'relative',
    display: 'block',
    width: 140,
    maxWidth: '100%',
    height: 14,
    '& > i': { position: 'absolute', display: 'block' },
    '& > .back': { left: 0, right: 0, top: 5, height: 5, backgroundColor: load.track },
    '& > .p95': { left: 0, top: 5, height: 5, width: 'calc(var(--p) * 1%)', backgroundColor: load.ok },
    '& > .max': {
      left: 'calc(var(--p) * 1%)',
      top: 7,
      height: 1,
      width: 'calc((var(--m) - var(--p)) * 1%)',
      backgroundColor: load.text3,
    },
    '&[data-over] > .p95': { backgroundColor: load.over },
    '&[data-over] > .max': { backgroundColor: load.over },
    '& > .request': { left: 'calc(var(--r) * 1% - 1px)', top: 1, bottom: 1, width: 2, backgroundColor: load.line },
    '& > .advice': {
      left: 'calc(var(--a) * 1% - 4px)',
      top: -1,
      borderLeft: '4px solid transparent',
      borderRight: '4px solid transparent',
      borderTop: `5px solid ${theme.vars.palette.primary.main}`,
    },
  };
});

/** p95 as a bar up to the maximum, the request as a line, the advice as a mark. */
export function SizeRange({
  name,
  sized,
  isOver,
  words,
}: {
  name: string;
  sized: SizedResource;
  isOver: boolean;
  words: string;
}) {
  const { p95, max, request, advice } = sized;
  const whole = Math.max(p95 ?? 0, max ?? 0, request ?? 0, advice ?? 0) * 1.05;
  const share = (value: number | null): number => boundedPercentOf(value, whole) ?? 0;
  return (
    <Track
      role="img"
      aria-label={`${name}: ${words}`}
      data-over={isOver ? '' : undefined}
      style={cssVars({ p: share(p95), m: share(max), r: share(request), a: share(advice) })}
    >
      <i className="back" />
      <i className="p95" />
      <i className="max" />
      {request !== null && <i className="request" />}
      {advice !== null && <i className="advice" />}
    </Track>
  );
}
