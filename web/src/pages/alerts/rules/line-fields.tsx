import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { styled } from '@mui/material/styles';
import { ALERT_LEVELS, type AlertLevel } from '@plimsoll/contract/rules/limits';
import { LEVEL_NAME } from '../../../components/chips.tsx';
import { LabelledInput } from '../../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../../components/form/labelled-select.tsx';
import { FieldGroup } from '../../../components/form/form-parts.tsx';
import { canAddLine, withLine } from './rule-draft.ts';
import type { RuleDraft, RuleProblems } from './rule-draft.ts';
import { RULE_METRICS } from './rule-metrics.ts';
import { Close as CloseIcon } from '../../../components/icons/material.tsx';
import { Add as AddIcon } from '../../../components/icons/pages.tsx';

const LEVELS = ALERT_LEVELS.map((level) => ({ value: level, label: LEVEL_NAME[level] })).toReversed();
const isLevel = (value: string): value is AlertLevel => value in LEVEL_NAME;
const Line = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr) 40px',
  alignItems: 'start',
  gap: 12,
  '& > button': { marginTop: 20 },
});

interface LineFieldsProps {
  draft: RuleDraft;
  problems: RuleProblems;
  onChange: (draft: RuleDraft) => void;
}

/** The lines of a rule, from the lowest on. An alert carries the level of the highest line that it crosses. */
export function LineFields({ draft, problems, onChange }: LineFieldsProps) {
  const { lines } = draft;
  const metric = RULE_METRICS.get(draft.metric);
  const hasBounds = metric?.bounds != null;
  const change = (index: number, part: Partial<RuleDraft['lines'][number]>) =>
    onChange({ ...draft, lines: lines.map((line, at) => (at === index ? { ...line, ...part } : line)) });
  return (
    <FieldGroup>
      <legend>{hasBounds ? 'Lines' : 'Level'}</legend>
      {lines.map(({ level, threshold }, index) => (
        <Line key={index} role="group" aria-label={`Line ${index + 1}`}>
          <LabelledSelect
            label="Level"
            value={level}
            options={LEVELS}
            problem={problems[`lines[${index}].level`]}
            onChange={(next) => isLevel(next) && change(index, { level: next })}
          />
          {hasBounds && (
            <LabelledInput
              label={`At or ${metric.isWorseWhenLower ? 'below' : 'above'} (${metric.unit ?? ''})`}
              value={threshold}
              problem={problems[`lines[${index}].threshold`]}
              inputProps={{ inputMode: 'decimal' }}
              onChange={(event) => change(index, { threshold: event.target.value })}
            />
          )}
          {lines.length > 1 && (
            <IconButton
              aria-label={`Remove line ${index + 1}`}
              onClick={() => onChange({ ...draft, lines: lines.filter((_, at) => at !== index) })}
            >
              <CloseIcon />
            </IconButton>
          )}
        </Line>
      ))}
      {canAddLine(draft) && (
        <div>
          <Button variant="text" startIcon={<AddIcon />} onClick={() => onChange(withLine(draft))}>
            Add line
          </Button>
        </div>
      )}
    </FieldGroup>
  );
}
