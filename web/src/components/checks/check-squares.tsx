import { styled } from '@mui/material/styles';
import type { CheckListItem } from '@plimsoll/contract/wire/checks/checks';
import { reasonWords, statusWord } from '../../format/check-words.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { numberText, plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { TARGET_PX, TOUCH } from '../screen.ts';

const Row = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 12px',
  paddingTop: 8,
  color: theme.vars.palette.text.secondary,
  '& ol': { listStyle: 'none', display: 'flex', flexWrap: 'wrap', gap: 3, margin: 0, padding: 0 },
  '& li > a': {
    display: 'block',
    width: 14,
    height: 14,
    borderRadius: 2,
    border: '2px solid transparent',
    [TOUCH]: { width: TARGET_PX / 2, height: TARGET_PX / 2 },
  },
  '& [data-status="up"]': { backgroundColor: theme.vars.palette.load.ok },
  // A shape of its own beside the colour.
  '& [data-status="down"]': {
    backgroundColor: theme.vars.palette.load.over,
    borderColor: theme.vars.palette.load.line,
  },
  '& [data-status="unknown"]': { borderColor: theme.vars.palette.load.stale },
  '& [data-status="paused"]': { backgroundColor: theme.vars.palette.load.track },
}));
type Shown = Pick<CheckListItem, 'check_id' | 'name' | 'status' | 'reason' | 'http_status'>;
const wordsOf = ({ name, status, reason, http_status: http }: Shown): string =>
  `${escapeInvisible(name)}: ${statusWord(status)}${status === 'down' ? `, ${reasonWords(reason, http)}` : ''}`;

/** One square a check, the worst first; nothing where there is none. */
export function CheckSquares({ checks, total }: { checks: readonly Shown[]; total: number }) {
  if (checks.length === 0) return null;
  return (
    <Row>
      <Link to={paths.checks}>{plural(total, 'check')}</Link>
      <ol aria-label="Checks">
        {checks.map((check) => (
          <li key={check.check_id}>
            <Link
              to={paths.check(check.check_id)}
              data-status={check.status}
              title={wordsOf(check)}
              aria-label={wordsOf(check)}
            />
          </li>
        ))}
      </ol>
      {total > checks.length && <span>{`${numberText(total - checks.length) ?? ''} more in the list`}</span>}
    </Row>
  );
}
