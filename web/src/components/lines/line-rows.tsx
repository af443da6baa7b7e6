import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { LineKind } from '@plimsoll/contract/rules/lines';
import type { LogLine } from '@plimsoll/contract/wire/lines';
import { useState } from 'react';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { momentMs } from '../../time/age.ts';
import { clockSeconds, fullMoment } from '../../time/zone.ts';
import { Rows } from '../panel.tsx';
import { KIND_NAME, sourceOf } from './line-words.ts';

/** Rows until a button shows the others. */
const SHOWN = 8;

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  gap: '2px 12px',
  padding: '8px 16px',
  '& > time': { color: theme.vars.palette.text.secondary, fontVariantNumeric: 'tabular-nums' },
  '& > code': { gridColumn: 2, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap', fontSize: 12, lineHeight: '18px' },
  '& .what': { display: 'flex', flexWrap: 'wrap', gap: '0 8px', minWidth: 0, overflowWrap: 'anywhere' },
  '& .what > b': { fontWeight: 600 },
  '& .what > span': { ...theme.typography.caption, lineHeight: '20px', color: theme.vars.palette.text.secondary },
  '&[data-tone="bad"] .what > b': { color: theme.vars.palette.load.overText },
  '&[data-tone="near"] .what > b': { color: theme.vars.palette.load.nearText },
}));
const More = styled('div')({ padding: '4px 8px' });

const QUIET: ReadonlySet<LineKind> = new Set(['link_up', 'journal_error', 'last_words']);
const NEAR: ReadonlySet<LineKind> = new Set(['link_down', 'thermal_throttling', 'time_source_changed']);
const toneOf = (kind: LineKind) => (QUIET.has(kind) ? undefined : NEAR.has(kind) ? 'near' : 'bad');

function LineRow({ line }: { line: LogLine }) {
  const at = momentMs(line.at) ?? 0;
  const source = sourceOf(line);
  return (
    <Row data-tone={toneOf(line.kind)}>
      <time dateTime={line.at} title={fullMoment(at)}>
        {clockSeconds(at)}
      </time>
      <div className="what">
        <b>{KIND_NAME[line.kind]}</b>
        {source !== '' && <span>{source}</span>}
        {line.count > 1 && <span>{line.count} times in this minute</span>}
      </div>
      {/* The text of a stranger: never a link, never markup. */}
      <code>{escapeInvisible(line.text)}</code>
    </Row>
  );
}

/** Log lines, newest first, the first few of many. */
export function LineRows({ lines }: { lines: readonly LogLine[] }) {
  const [areAllShown, setAllShown] = useState(false);
  const shown = areAllShown ? lines : lines.slice(0, SHOWN);
  return (
    <>
      <Rows>
        {shown.map((line, index) => (
          // Equal lines of one moment differ in nothing but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <LineRow key={`${line.at} ${String(index)}`} line={line} />
        ))}
      </Rows>
      {shown.length < lines.length && (
        <More>
          <Button size="small" onClick={() => setAllShown(true)}>
            Show all {lines.length} lines
          </Button>
        </More>
      )}
    </>
  );
}
