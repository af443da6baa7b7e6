import { styled } from '@mui/material/styles';
import type { CapacitySizing, UsageOfDay } from '@plimsoll/contract/wire/capacity';
import { cssVars } from '../css-vars.ts';
import { shortDateWords } from '../../time/calendar-date.ts';
import { bytesWords, coresWords } from './capacity-words.ts';

const Days = styled('div')(({ theme }) => ({
  position: 'relative',
  display: 'flex',
  alignItems: 'flex-end',
  gap: 2,
  height: 56,
  margin: '12px 0 4px',
  borderBottom: `1px solid ${theme.vars.palette.load.edge}`,
  '& > span': {
    position: 'relative',
    flex: 1,
    height: 'calc(var(--max) * 1%)',
    minHeight: 1,
    backgroundColor: `color-mix(in srgb, ${theme.vars.palette.load.ok} 35%, transparent)`,
  },
  '& > span > i': {
    position: 'absolute',
    inset: 'auto 0 0 0',
    height: 'calc(var(--p95) * 1%)',
    backgroundColor: theme.vars.palette.load.ok,
  },
  '& > span[data-over] > i': { backgroundColor: theme.vars.palette.load.over },
  '& > b': {
    position: 'absolute',
    inset: 'auto 0 calc(var(--at) * 1%) 0',
    borderTop: `1px solid ${theme.vars.palette.text.primary}`,
  },
  '& > b[data-request]': { borderTopStyle: 'dashed' },
}));
const Ends = styled('p')(({ theme }) => ({
  '&&': { display: 'flex', justifyContent: 'space-between', gap: 8, margin: '0 0 12px' },
  ...theme.typography.caption,
  '& > time': { whiteSpace: 'nowrap' },
}));

const RESOURCES = {
  cpu_cores: { name: 'CPU', words: coresWords },
  memory_bytes: { name: 'Memory', words: bytesWords },
} as const;

interface UsageDaysProps {
  row: CapacitySizing;
  resource: keyof typeof RESOURCES;
}

/** A bar for each day: p95 in full colour, the maximum behind it, with lines for request (dashed) and limit. */
export function UsageDays({ row, resource }: UsageDaysProps) {
  const { name, words } = RESOURCES[resource];
  const { request, limit } = row[resource];
  const known = row.by_day.filter((one) => one[resource].max !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return null;
  const highest = Math.max(...known.map((one) => one[resource].max ?? 0));
  // A limit far above the use would flatten every bar: it is named below, and has no line then.
  const drawn = [request, limit].filter((one): one is number => one !== null && one <= highest * 3);
  const top = Math.max(highest, ...drawn) || 1;
  const share = (amount: number | null) => ((amount ?? 0) / top) * 100;
  const days = `${shortDateWords(first.day)} to ${shortDateWords(last.day)}`;
  const bounds = `request ${words(request) ?? 'none set'}, limit ${words(limit) ?? 'none set'}`;
  return (
    <>
      <Days role="img" aria-label={`${name} a day, ${days}: highest ${words(highest) ?? 'N/A'}, ${bounds}`}>
        {known.map((one) => (
          <Day key={one.day} of={one} resource={resource} request={request} share={share} />
        ))}
        {request !== null && drawn.includes(request) && <b data-request="" style={cssVars({ at: share(request) })} />}
        {limit !== null && drawn.includes(limit) && <b style={cssVars({ at: share(limit) })} />}
      </Days>
      <Ends>
        <time dateTime={first.day}>{shortDateWords(first.day)}</time>
        <span>{name} a day: p95, maximum behind; request dashed, limit solid</span>
        <time dateTime={last.day}>{shortDateWords(last.day)}</time>
      </Ends>
    </>
  );
}

interface DayProps {
  of: UsageOfDay;
  resource: keyof typeof RESOURCES;
  request: number | null;
  share: (amount: number | null) => number;
}

function Day({ of, resource, request, share }: DayProps) {
  const { words } = RESOURCES[resource];
  const { p95, max } = of[resource];
  return (
    <span
      title={`${shortDateWords(of.day)}: p95 ${words(p95) ?? 'N/A'}, maximum ${words(max) ?? 'N/A'}`}
      data-over={request !== null && p95 !== null && p95 > request ? '' : undefined}
      style={cssVars({ max: share(max) })}
    >
      <i style={cssVars({ p95: max === null || max === 0 ? 0 : ((p95 ?? 0) / max) * 100 })} />
    </span>
  );
}
