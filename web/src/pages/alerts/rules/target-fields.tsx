import { LabelledInput } from '../../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../../components/form/labelled-select.tsx';
import { FieldRow } from '../../../components/form/form-parts.tsx';
import { isOptional, TARGET_FIELDS } from './rule-draft.ts';
import type { RuleDraft, RuleProblems, TargetField } from './rule-draft.ts';

type Names = readonly { id: string; name: string }[];

const LABEL: Record<TargetField, { label: string; placeholder?: string }> = {
  tag_key: { label: 'Tag', placeholder: 'env' },
  tag_value: { label: 'Value (optional)', placeholder: 'prod' },
  server_id: { label: 'Server' },
  mount: { label: 'Mount point', placeholder: '/var' },
  cluster_id: { label: 'Cluster' },
  namespace: { label: 'Namespace', placeholder: 'shop' },
  workload: { label: 'Workload', placeholder: 'checkout' },
  workload_kind: { label: 'Kind (optional)', placeholder: 'Deployment' },
};

interface TargetFieldsProps {
  draft: RuleDraft;
  servers: Names;
  clusters: Names;
  problems: RuleProblems;
  onChange: (where: RuleDraft['where']) => void;
}

/** The fields that say what the chosen target applies to. */
export function TargetFields({ draft, servers, clusters, problems, onChange }: TargetFieldsProps) {
  const lists: Partial<Record<TargetField, { names: Names; all: string }>> = {
    server_id: { names: servers, all: 'All servers' },
    cluster_id: { names: clusters, all: 'All clusters' },
  };
  if (TARGET_FIELDS[draft.target].length === 0) return null;
  return (
    <FieldRow>
      {TARGET_FIELDS[draft.target].map((field) => {
        const value = draft.where[field] ?? '';
        const change = (next: string) => onChange({ ...draft.where, [field]: next });
        const list = lists[field];
        const { label, placeholder = '' } = LABEL[field];
        const problem = problems[field];
        if (list === undefined)
          return (
            <LabelledInput
              key={field}
              label={label}
              value={value}
              placeholder={placeholder}
              problem={problem}
              onChange={(event) => change(event.target.value)}
            />
          );
        const options = list.names.map(({ id, name }) => ({ value: id, label: name }));
        return (
          <LabelledSelect
            key={field}
            label={label}
            value={value}
            options={isOptional(draft.target, field) ? [{ value: '', label: list.all }, ...options] : options}
            problem={problem}
            onChange={change}
          />
        );
      })}
    </FieldRow>
  );
}
