import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import type { TimeseriesAnswer } from '@plimsoll/contract/wire/metrics';
import { useQueryClient } from '../../api/query.ts';
import { ExplainButton } from '../../components/explain-button.tsx';
import { ExportButton } from '../../components/export/export-button.tsx';
import { stretchName } from '../../components/export/export-file.ts';
import { serverName } from '../../format/server-facts.ts';
import { RangeToggle } from '../../components/form/range-toggle.tsx';
import { RangeWords } from '../../components/form/range-words.tsx';
import { Toolbar, ToolbarEnd, ToolbarNote } from '../../components/form/toolbar.tsx';
import { WhatRanButton } from '../../components/processes/what-ran-button.tsx';
import { useComparing } from './use-comparing.ts';
import { comparison } from './compare.ts';
import { timeseriesTable } from './timeseries-table.ts';
import { DEFAULT_RANGE, rangeBounds } from '../../time/range.ts';
import type { TimeRange } from '../../time/range.ts';
import { HistoryOutlined as CompareIcon, Refresh as RefreshIcon } from '../../components/icons/material.tsx';
import { Undo as UndoIcon } from '../../components/icons/pages.tsx';

/** A phone has room for the icon. */
const Wide = styled('span')(({ theme }) => ({ [theme.breakpoints.down('sm')]: { display: 'none' } }));

/** Only where the tools leave room in their row. */
const Hint = styled(ToolbarNote)({ '@media (max-width: 1759.95px)': { display: 'none' } });

/** 7 days beside the four of every page: a server's history is kept longer than a day. */
const HOURS = [1, 6, 12, 24, 168];

interface ServerToolbarProps {
  server: ServerDetail;
  range: TimeRange;
  onRange: (range: TimeRange) => void;
  answer: TimeseriesAnswer | undefined;
  /** The moment looked back at, epoch seconds. */
  at: number | null;
  onMoment: (at: number) => void;
}

export function ServerToolbar({ server, range, onRange, answer, at, onMoment }: ServerToolbarProps) {
  const queries = useQueryClient();
  const [comparing, setComparing] = useComparing();
  return (
    <Toolbar>
      <RangeToggle hours={HOURS} range={range} onChange={onRange} />
      <RangeWords range={range} onChange={onRange} />
      <WhatRanButton at={at} onChoose={onMoment} />
      {range.kind === 'absolute' ? (
        <>
          <Button variant="text" startIcon={<UndoIcon />} onClick={() => onRange(DEFAULT_RANGE)}>
            Last 24 h
          </Button>
          <ExplainButton
            question={`What happened on ${serverName(server)} in the selected range?`}
            subject={{ kind: 'range', server_id: server.id, from: range.from, to: range.to }}
          />
        </>
      ) : (
        <Hint>Drag on a chart to zoom. Click to list the processes of a moment.</Hint>
      )}
      <ToolbarEnd>
        <Button
          variant={comparing ? 'outlined' : 'text'}
          startIcon={<CompareIcon />}
          aria-pressed={comparing}
          onClick={() => setComparing(!comparing)}
        >
          Compare with {comparison(answer ?? rangeBounds(range, 0)).name}
        </Button>
        <ExportButton
          holds={[serverName(server), 'metrics']}
          suffix={answer === undefined ? '' : stretchName(answer.from, answer.to)}
          table={() => timeseriesTable(answer?.timeseries ?? [])}
          disabled={answer === undefined}
          labelled
        />
        <Button
          variant="outlined"
          aria-label="Refresh"
          startIcon={<RefreshIcon />}
          onClick={() => void queries.invalidateQueries()}
        >
          <Wide>Refresh</Wide>
        </Button>
      </ToolbarEnd>
    </Toolbar>
  );
}
