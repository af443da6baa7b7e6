import { styled } from '@mui/material/styles';
import type { BlackBoxOnWire } from '@plimsoll/contract/wire/alerts/alert-detail';
import type { ReactNode } from 'react';
import { Figure } from '../../../components/figure.tsx';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { numberText, plural } from '../../../format/figures.ts';
import { ageText, momentMs } from '../../../time/age.ts';
import { clockSeconds } from '../../../time/zone.ts';
import { paths } from '../../../paths.ts';
import { Link } from '../../../router.ts';
import { Quiet } from '../../../components/form/form-parts.tsx';

const SHOWN = 6;

const Part = styled('section')(({ theme }) => ({
  minWidth: 0,
  '& > h3': { ...theme.typography.caption, margin: '0 0 4px', color: theme.vars.palette.load.text3 },
  '& ol': { listStyle: 'none', margin: 0, padding: 0 },
  '& li': { display: 'grid', gap: '0 12px', minHeight: 24, alignItems: 'center' },
  '& li > *': { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& .process': { gridTemplateColumns: '56px minmax(72px, 140px) minmax(0, 1fr) 64px 64px' },
  '& .connection, & .event, & .pod': { gridTemplateColumns: 'minmax(0, 1fr) auto' },
  '& .pid, & .command': { color: theme.vars.palette.load.text3 },
  '& .number': { textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
  [theme.breakpoints.down('sm')]: {
    '& .process': { gridTemplateColumns: '56px minmax(0, 1fr) 64px 64px' },
    '& .process .command': { display: 'none' },
  },
}));

interface FrozenProps {
  title: string;
  /** When the list was taken, and how old it was when the alert fired. */
  list: { sampled_at: string; age_seconds: number; total: number };
  children: readonly ReactNode[];
}

/** One list as it stood, with the time of it. */
function Frozen({ title, list, children }: FrozenProps) {
  const left = list.total - children.length;
  return (
    <Part aria-label={title}>
      <h3>
        {title} at {clockSeconds(momentMs(list.sampled_at) ?? 0)}
        {list.age_seconds >= 1 && `, ${ageText(list.age_seconds)} before the alert`}
      </h3>
      {children.length === 0 ? <Quiet>None.</Quiet> : <ol>{children}</ol>}
      {left > 0 && <Quiet>and {left} more</Quiet>}
    </Part>
  );
}

function Processes({ list }: { list: NonNullable<BlackBoxOnWire['processes']> }) {
  return (
    <Frozen title="Top processes" list={list}>
      {list.entries.slice(0, SHOWN).map(({ pid, name, command, cpu_usage: cpu, memory_usage: memory }) => (
        <li key={pid} className="process">
          <span className="pid">{pid}</span>
          <span>{escapeInvisible(name)}</span>
          <code className="command" title={escapeInvisible(command)}>
            {escapeInvisible(command)}
          </code>
          <span className="number" title="CPU, per cent of one core">
            <Figure value={numberText(cpu, 1)} unit="%" />
          </span>
          <span className="number" title="Memory, per cent of the server">
            <Figure value={numberText(memory, 1)} unit="%" />
          </span>
        </li>
      ))}
    </Frozen>
  );
}

function Connections({ list }: { list: NonNullable<BlackBoxOnWire['connections']> }) {
  return (
    <Frozen title="Connections" list={list}>
      {list.entries.slice(0, SHOWN).map((each, index) => (
        <li key={index} className="connection">
          <span>
            {escapeInvisible(each.remote_ip)}:{each.remote_port} to port {each.local_port}
          </span>
          <span className="pid">{escapeInvisible(each.state)}</span>
        </li>
      ))}
    </Frozen>
  );
}

interface PodsProps {
  list: NonNullable<BlackBoxOnWire['pods']>;
  /** Null: the pods of a host, whose cluster is not known here. */
  clusterId: string | null;
}

function Pods({ list, clusterId }: PodsProps) {
  return (
    <Frozen title="Pods" list={list}>
      {list.entries.slice(0, SHOWN).map((pod) => (
        <li key={`${pod.namespace}/${pod.pod_name}`} className="pod">
          <Link
            to={
              clusterId === null
                ? paths.podsOf(pod.namespace, pod.pod_name)
                : paths.kubernetesPod(`${clusterId}/${pod.namespace}/${pod.pod_name}`)
            }
          >
            {escapeInvisible(pod.namespace)}/{escapeInvisible(pod.pod_name)}
          </Link>
          <span className="pid">
            {escapeInvisible(pod.reason ?? pod.phase)}
            {pod.restart_count > 0 && `, ${plural(pod.restart_count, 'restart')}`}
          </span>
        </li>
      ))}
    </Frozen>
  );
}

function Events({ events }: { events: BlackBoxOnWire['events'] }) {
  if (events.length === 0) return null;
  return (
    <Part aria-label="Events before">
      <h3>Events before</h3>
      <ol>
        {events.slice(0, SHOWN).map((event, index) => (
          <li key={index} className="event">
            <span title={escapeInvisible(event.message)}>{escapeInvisible(event.message)}</span>
            <span className="pid">{clockSeconds(event.timestamp * 1000)}</span>
          </li>
        ))}
      </ol>
    </Part>
  );
}

/** The lists of the server as they stood when the alert fired. A list that was never reported is left out. */
export function BlackBox({ box, clusterId }: { box: BlackBoxOnWire; clusterId: string | null }) {
  return (
    <>
      {box.processes !== null && <Processes list={box.processes} />}
      {box.pods !== null && <Pods list={box.pods} clusterId={clusterId} />}
      <Events events={box.events} />
      {box.connections !== null && <Connections list={box.connections} />}
    </>
  );
}
