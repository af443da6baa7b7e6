import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { ADVICE_BOUNDS, CURRENCY, PRICE_BOUNDS } from '@plimsoll/contract/rules/capacity-settings';
import type { CapacityCluster } from '@plimsoll/contract/wire/capacity';
import type { CapacitySettingsAnswer, ClusterPrice } from '@plimsoll/contract/wire/capacity-settings';
import { type SyntheticEvent, useState } from 'react';
import { capacitySettingsQuery, deletePrice, putAdvice, putPrice } from '../../api/capacity.ts';
import { useMutation, useQuery, useQueryClient } from '../../api/query.ts';
import { clusterWords } from '../../components/capacity/capacity-words.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../components/form/labelled-select.tsx';
import { Panel } from '../../components/panel.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';

const Form = styled('form')(({ theme }) => ({
  display: 'grid',
  gap: 12,
  padding: '12px 16px',
  '& + form': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& > .fields': { display: 'grid', gridTemplateColumns: 'repeat(4, minmax(0, 240px))', gap: 12, alignItems: 'start' },
  '& > .buttons': { display: 'flex', flexWrap: 'wrap', gap: 8 },
  '& > p': { margin: 0, color: theme.vars.palette.text.secondary },
  [theme.breakpoints.down('md')]: { '& > .fields': { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' } },
}));

const POLICIES = [
  { value: 'none', label: 'No limit' },
  { value: 'as_today', label: 'As today' },
];

/** Returns the problem of a number and its remedy; null: it is good. */
function problemOf(text: string, { min, max }: { min: number; max: number }, isWhole = false): string | null {
  const value = Number(text);
  const isGood = text.trim() !== '' && value >= min && value <= max && (!isWhole || Number.isInteger(value));
  return isGood ? null : `Enter ${isWhole ? 'a whole number' : 'a number'} from ${String(min)} to ${String(max)}.`;
}

/** Settings of the advice for the whole organisation, and the price of the shown cluster. */
export function AdviceForm({ cluster }: { cluster: CapacityCluster }) {
  const asked = useQuery(capacitySettingsQuery());
  const price = asked.data?.prices.find((one) => one.cluster_id === cluster.cluster_id) ?? null;
  return (
    <Panel title="Settings" note="only admins change them">
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={3} height={52} />}
      {asked.data !== undefined && (
        <>
          <Advice advice={asked.data.advice} />
          <Price key={JSON.stringify(price)} cluster={cluster} price={price} />
        </>
      )}
    </Panel>
  );
}

/** Runs a change, then loads the page anew. */
function useChange<T>(run: (input: T) => Promise<CapacitySettingsAnswer>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: run, onSuccess: () => queries.invalidateQueries({ queryKey: ['capacity'] }) });
}

function Advice({ advice }: { advice: CapacitySettingsAnswer['advice'] }) {
  const [typed, setTyped] = useState({
    cpu_percentile: String(advice.cpu_percentile),
    memory_surplus_percent: String(advice.memory_surplus_percent),
    days: String(advice.days),
    cpu_limit: advice.cpu_limit,
  });
  const save = useChange(putAdvice);
  const problems = {
    cpu_percentile: problemOf(typed.cpu_percentile, ADVICE_BOUNDS.cpu_percentile),
    memory_surplus_percent: problemOf(typed.memory_surplus_percent, ADVICE_BOUNDS.memory_surplus_percent),
    days: problemOf(typed.days, ADVICE_BOUNDS.days, true),
  };
  const field = (name: keyof typeof problems, label: string) => (
    <LabelledInput
      label={label}
      inputMode="decimal"
      value={typed[name]}
      problem={problems[name]}
      onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
    />
  );
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    save.mutate({
      cpu_percentile: Number(typed.cpu_percentile),
      memory_surplus_percent: Number(typed.memory_surplus_percent),
      days: Number(typed.days),
      cpu_limit: typed.cpu_limit,
    });
  };
  const isWrong = Object.values(problems).some((problem) => problem !== null);
  return (
    <Form aria-label="Advice on sizes" onSubmit={submit}>
      <p>The advice on sizes of every cluster. The next plan uses it, at most five minutes later.</p>
      <div className="fields">
        {field('cpu_percentile', 'CPU percentile')}
        {field('memory_surplus_percent', 'Memory surplus in %')}
        {field('days', 'Days of usage')}
        <LabelledSelect
          label="CPU limit"
          value={typed.cpu_limit}
          options={POLICIES}
          onChange={(next) => setTyped({ ...typed, cpu_limit: next === 'as_today' ? 'as_today' : 'none' })}
        />
      </div>
      {save.error !== null && <Notice tone="error">{save.error.message}</Notice>}
      {save.isSuccess && <p role="status">Saved. The next plan uses it.</p>}
      <div className="buttons">
        <Button type="submit" variant="contained" disabled={isWrong || save.isPending}>
          Save advice
        </Button>
      </div>
    </Form>
  );
}

function Price({ cluster, price }: { cluster: CapacityCluster; price: ClusterPrice | null }) {
  const [typed, setTyped] = useState({
    currency: price?.currency ?? '',
    core_hour: price === null ? '' : String(price.core_hour),
    gb_hour: price === null ? '' : String(price.gb_hour),
  });
  const save = useChange((next: ClusterPrice) => putPrice(cluster.cluster_id, next));
  const remove = useChange(() => deletePrice(cluster.cluster_id));
  const isEmpty = Object.values(typed).every((text) => text === '');
  const problems = {
    currency: CURRENCY.test(typed.currency) ? null : 'Enter three capital letters, such as EUR.',
    core_hour: problemOf(typed.core_hour, PRICE_BOUNDS),
    gb_hour: problemOf(typed.gb_hour, PRICE_BOUNDS),
  };
  const field = (name: keyof typeof problems, label: string) => (
    <LabelledInput
      label={label}
      inputMode={name === 'currency' ? 'text' : 'decimal'}
      value={typed[name]}
      problem={isEmpty ? null : problems[name]}
      onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
    />
  );
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const { currency } = typed;
    save.mutate({ currency, core_hour: Number(typed.core_hour), gb_hour: Number(typed.gb_hour) });
  };
  const isWrong = Object.values(problems).some((problem) => problem !== null);
  const error = save.error ?? remove.error;
  return (
    <Form aria-label="Price" onSubmit={submit}>
      <p>The price of {escapeInvisible(clusterWords(cluster))}. Without a price no money is shown.</p>
      <div className="fields">
        {field('core_hour', 'Price of a core-hour')}
        {field('gb_hour', 'Price of a GB-hour')}
        {field('currency', 'Currency')}
      </div>
      {error !== null && <Notice tone="error">{error.message}</Notice>}
      <div className="buttons">
        <Button type="submit" variant="contained" disabled={isWrong || save.isPending}>
          Save price
        </Button>
        {price !== null && (
          <Button variant="outlined" disabled={remove.isPending} onClick={() => remove.mutate(undefined)}>
            Remove price
          </Button>
        )}
      </div>
    </Form>
  );
}
