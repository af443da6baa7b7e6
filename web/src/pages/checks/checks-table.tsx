import { styled } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { CheckListItem } from '@plimsoll/contract/wire/checks/checks';
import { Age } from '../../components/age.tsx';
import { CheckBars, CheckStatusChip } from '../../components/checks/check-status.tsx';
import { Figure } from '../../components/figure.tsx';
import { MiddleTruncate } from '../../components/middle-truncate.tsx';
import { BandIcon } from '../../components/status-icons.tsx';
import { certificateBand, kindWord, reasonWords } from '../../format/check-words.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { numberText } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { momentMs } from '../../time/age.ts';

const Box = styled('div')(({ theme }) => ({
  minWidth: 0,
  containerType: 'inline-size',
  '& table': { tableLayout: 'fixed' },
  '& td, & th': { padding: '6px 8px' },
  '& th:first-of-type': { paddingLeft: 16 },
  '& td:last-of-type, & thead th:last-of-type': { paddingRight: 16 },
  '& .number': { width: 96, textAlign: 'right', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  '& .state': { width: 210 },
  '& .state small': { whiteSpace: 'normal' },
  '& .bars': { width: 290 },
  '& .kind': { width: 88 },
  '& small': { ...theme.typography.caption, display: 'block', color: theme.vars.palette.load.text3, minWidth: 0 },
  '& [data-band="over"]': { color: theme.vars.palette.load.overText },
  '& [data-band="near"]': { color: theme.vars.palette.load.nearText },
  '& [data-band] > svg': { marginRight: 6 },
  '@container (max-width: 1000px)': { '& .kind, & .age': { display: 'none' } },
  '@container (max-width: 800px)': { '& .bars': { display: 'none' } },
  '@container (max-width: 520px)': { '& .wide': { display: 'none' }, '& .state': { width: 130 } },
}));

function Row({ check }: { check: CheckListItem }) {
  const { status, reason, http_status: http, certificate_days: days } = check;
  const band = certificateBand(days);
  return (
    <TableRow hover>
      <TableCell component="th" scope="row">
        <Link to={paths.check(check.check_id)}>
          <MiddleTruncate text={escapeInvisible(check.name)} />
        </Link>
        <small>
          <MiddleTruncate text={escapeInvisible(check.target)} />
        </small>
      </TableCell>
      <TableCell className="kind">{kindWord(check.kind)}</TableCell>
      <TableCell className="state">
        <CheckStatusChip status={status} />
        <small>
          {status === 'down' && `${reasonWords(reason, http)}, `}
          <Age at={momentMs(check.since)} prefix="for " suffix="" never="" />
        </small>
      </TableCell>
      <TableCell className="bars">
        {check.kind === 'heartbeat' ? <small>called by a job</small> : <CheckBars bars={check.bars} />}
      </TableCell>
      <TableCell className="number">
        <Figure value={numberText(check.total_ms)} unit="ms" />
      </TableCell>
      <TableCell className="number wide" data-band={band}>
        {days === null ? (
          <span title="No certificate was seen">
            <Figure value={null} />
          </span>
        ) : (
          <>
            <BandIcon band={band} />
            {numberText(days)} d
          </>
        )}
      </TableCell>
      <TableCell className="number age">
        <Age at={momentMs(check.checked_at)} form="short" never="N/A" />
      </TableCell>
    </TableRow>
  );
}

/** The worst first, as the API orders them. */
export function ChecksTable({ checks }: { checks: readonly CheckListItem[] }) {
  return (
    <Box>
      <Table aria-label="Checks">
        <TableHead>
          <TableRow>
            <TableCell>Check</TableCell>
            <TableCell className="kind">Kind</TableCell>
            <TableCell className="state">State</TableCell>
            <TableCell className="bars">Last 90 min</TableCell>
            <TableCell className="number">Response</TableCell>
            <TableCell className="number wide">Certificate</TableCell>
            <TableCell className="number age">Checked</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {checks.map((check) => (
            <Row key={check.check_id} check={check} />
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}
