import IconButton from '@mui/material/IconButton';
import { styled } from '@mui/material/styles';
import Switch from '@mui/material/Switch';
import Tooltip from '@mui/material/Tooltip';
import type { AlertRuleOnWire } from '@plimsoll/contract/wire/alert-rules';
import { Chip } from '../../../components/chips.tsx';
import { LevelIcon } from '../../../components/status-icons.tsx';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';
import { paths } from '../../../paths.ts';
import { Link } from '../../../router.ts';
import { ObjectOrigin } from '../object-origin.tsx';
import { durationText } from '../../../format/duration-text.ts';
import { metricWords } from '../../../format/incident-words.ts';
import { linesWords } from './rule-words.ts';
import { ContentCopyOutlined as ContentCopyIcon } from '../../../components/icons/first-load.tsx';
import { DeleteOutlined as DeleteIcon } from '../../../components/icons/pages.tsx';

export const RuleGrid = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(140px, 1.2fr) minmax(160px, 1.6fr) minmax(110px, 1fr) 72px 132px',
  alignItems: 'center',
  gap: '0 12px',
  minHeight: 44,
  padding: '2px 16px',
  '& > *': { minWidth: 0, overflowWrap: 'anywhere' },
  '& .metric': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 8, fontWeight: 600 },
  '& .lines': { display: 'flex', alignItems: 'center', gap: 6, fontVariantNumeric: 'tabular-nums' },
  '& .end': { display: 'flex', justifyContent: 'flex-end', alignItems: 'center' },
  '&[data-off] .metric, &[data-off] .lines, &[data-off] .where, &[data-off] .for': {
    color: theme.vars.palette.load.text3,
  },
  '&.head': { ...theme.typography.caption, minHeight: 34, color: theme.vars.palette.text.secondary },
  [theme.breakpoints.down('sm')]: {
    padding: '8px 16px',
    // Two lines: the metric, then what it applies to, its lines and its time.
    gridTemplateColumns: 'auto auto minmax(0, 1fr) auto',
    gap: '2px 12px',
    '& .metric': { gridColumn: '1 / span 3' },
    '& .where, & .lines, & .for': { ...theme.typography.caption },
    '& .end': { gridColumn: 4, gridRow: '1 / span 2' },
    '&.head': { display: 'none' },
  },
}));

interface RuleRowProps {
  rule: AlertRuleOnWire;
  /** Target of the rule, in words. */
  where: string;
  /** A default rule that a rule of the account replaces everywhere. */
  isReplaced: boolean;
  mayEdit: boolean;
  busy: boolean;
  onToggle: (enabled: boolean) => void;
  /** Null: the rule cannot be copied to servers. */
  onCopy: (() => void) | null;
  onDelete: () => void;
}

/** One rule; its name opens the editor. */
export function RuleRow({ rule, where, isReplaced, mayEdit, busy, onToggle, onCopy, onDelete }: RuleRowProps) {
  const name = `${metricWords(rule.metric)}, ${where}`;
  const isOff = !rule.enabled || isReplaced;
  const first = rule.lines[0];
  const isManaged = rule.object !== null && rule.object !== undefined;
  return (
    <RuleGrid data-off={isOff ? '' : undefined} aria-label={name} title={rule.text}>
      <span className="metric">
        <Link to={paths.alertRule(rule.rule_id)}>
          {metricWords(rule.metric)}
          <VisuallyHidden>, {where}</VisuallyHidden>
        </Link>
        {rule.is_default && <Chip>Default</Chip>}
        {isManaged && <Chip>Read-only</Chip>}
      </span>
      <span className="where">
        {isReplaced ? 'replaced by your rule' : where}
        <ObjectOrigin object={rule.object} />
      </span>
      <span className="lines">
        {first !== undefined && <LevelIcon level={first.level} />}
        {linesWords(rule) || first?.level}
      </span>
      <span className="for">{rule.for_seconds === 0 ? 'at once' : durationText(rule.for_seconds)}</span>
      <span className="end">
        {mayEdit && onCopy !== null && (
          <Tooltip title="Copy to servers">
            <IconButton aria-label={`Copy ${name} to servers`} onClick={onCopy}>
              <ContentCopyIcon />
            </IconButton>
          </Tooltip>
        )}
        {mayEdit && !rule.is_default && !isManaged && (
          <Tooltip title="Delete">
            <IconButton aria-label={`Delete ${name}`} disabled={busy} onClick={onDelete}>
              <DeleteIcon />
            </IconButton>
          </Tooltip>
        )}
        {mayEdit && !isReplaced && !isManaged ? (
          <Switch
            size="small"
            color="info"
            checked={rule.enabled}
            disabled={busy}
            slotProps={{ input: { 'aria-label': `${name} on` } }}
            onChange={(_, enabled) => onToggle(enabled)}
          />
        ) : (
          (!mayEdit || isManaged) && (rule.enabled ? 'On' : 'Off')
        )}
      </span>
    </RuleGrid>
  );
}
