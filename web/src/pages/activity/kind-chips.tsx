import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import { DEFAULT_TIMELINE_KINDS, TIMELINE_KINDS, type TimelineKind } from '@plimsoll/contract/rules/timeline';
import type { TimelineAnswer } from '@plimsoll/contract/wire/timeline';
import { numberText } from '../../format/figures.ts';
import { KIND_NAME } from '../../format/timeline-words.ts';
import { TARGET_PX, TOUCH } from '../../components/screen.ts';

const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: 6, '@media print': { display: 'none' } });
const Chip = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.caption,
  gap: 6,
  height: 28,
  padding: '0 10px',
  borderRadius: 14,
  border: `1px solid ${theme.vars.palette.load.edge}`,
  color: theme.vars.palette.text.secondary,
  fontWeight: 500,
  '& b': { fontWeight: 600, fontVariantNumeric: 'tabular-nums' },
  '&[aria-pressed="true"]': {
    color: theme.vars.palette.text.primary,
    borderColor: theme.vars.palette.info.main,
    backgroundColor: theme.vars.palette.load.infoTint,
  },
  '&:focus-visible': { outline: `2px solid ${theme.vars.palette.info.main}`, outlineOffset: 1 },
  [TOUCH]: { height: TARGET_PX, borderRadius: TARGET_PX / 2 },
}));

const isKind = (text: string): text is TimelineKind => TIMELINE_KINDS.some((kind) => kind === text);

/** Reads the kinds of the address; the empty text is the default: all but the runs of processes. */
export function readKinds(text: string): readonly TimelineKind[] {
  const kinds = text.split(',').filter(isKind);
  return kinds.length === 0 ? DEFAULT_TIMELINE_KINDS : TIMELINE_KINDS.filter((kind) => kinds.includes(kind));
}

/** Returns the text of the address for these kinds. The last one stays: a list of nothing says nothing. */
export function toggledKinds(shown: readonly TimelineKind[], kind: TimelineKind): string {
  const next = shown.includes(kind) ? shown.filter((one) => one !== kind) : [...shown, kind];
  const ordered = TIMELINE_KINDS.filter((one) => next.includes(one));
  if (ordered.length === 0) return shown.join(',');
  return ordered.join() === DEFAULT_TIMELINE_KINDS.join() ? '' : ordered.join(',');
}

interface KindChipsProps {
  shown: readonly TimelineKind[];
  counts: TimelineAnswer['kinds'] | undefined;
  onToggle: (kind: TimelineKind) => void;
}

/** Chooses the kinds that the list shows. Each chip counts its kind in the range before equal entries are folded. */
export function KindChips({ shown, counts, onToggle }: KindChipsProps) {
  return (
    <Row role="group" aria-label="Kinds of entries">
      {TIMELINE_KINDS.map((kind) => {
        const count = counts?.find((one) => one.kind === kind)?.count ?? null;
        return (
          <Chip key={kind} aria-pressed={shown.includes(kind)} onClick={() => onToggle(kind)}>
            {KIND_NAME[kind]} {count !== null && <b>{numberText(count)}</b>}
          </Chip>
        );
      })}
    </Row>
  );
}
