import CompareIcon from '@mui/icons-material/HistoryOutlined';
import DownloadIcon from '@mui/icons-material/DownloadOutlined';
import RefreshIcon from '@mui/icons-material/Refresh';
import UndoIcon from '@mui/icons-material/Undo';
import Button from '@mui/material/Button';
import type { TimeseriesAnswer } from '@plimsoll/contract/wire/metrics';
import { useQueryClient } from '../../api/query.ts';
import { RangeToggle } from '../../components/form/range-toggle.tsx';
import { RangeWords } from '../../components/form/range-words.tsx';
import { Toolbar, ToolbarEnd, ToolbarNote } from '../../components/form/toolbar.tsx';
import { useComparing } from './use-comparing.ts';
import { comparison } from './compare.ts';
import { saveFile, timeseriesCsv } from './timeseries-csv.ts';
import { DEFAULT_RANGE, rangeBounds } from '../../time/range.ts';
import type { TimeRange } from '../../time/range.ts';

/** 7 days beside the four of every page: a server's history is kept longer than a day. */
const HOURS = [1, 6, 12, 24, 168];

interface ServerToolbarProps {
  range: TimeRange;
  onRange: (range: TimeRange) => void;
  answer: TimeseriesAnswer | undefined;
}

export function ServerToolbar({ range, onRange, answer }: ServerToolbarProps) {
  const queries = useQueryClient();
  const [comparing, setComparing] = useComparing();
  return (
    <Toolbar>
      <RangeToggle hours={HOURS} range={range} onChange={onRange} />
      <RangeWords range={range} onChange={onRange} />
      {range.kind === 'absolute' ? (
        <Button variant="text" startIcon={<UndoIcon />} onClick={() => onRange(DEFAULT_RANGE)}>
          Last 24 h
        </Button>
      ) : (
        <ToolbarNote>Drag on a chart to zoom. Click to list the processes of a moment.</ToolbarNote>
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
        <Button
          variant="text"
          startIcon={<DownloadIcon />}
          disabled={answer === undefined}
          onClick={() => answer && saveFile('metrics.csv', 'text/csv', timeseriesCsv(answer.timeseries))}
        >
          Export
        </Button>
        <Button variant="outlined" startIcon={<RefreshIcon />} onClick={() => void queries.invalidateQueries()}>
          Refresh
        </Button>
      </ToolbarEnd>
    </Toolbar>
  );
}
