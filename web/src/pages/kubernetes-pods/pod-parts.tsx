import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { styled } from '@mui/material/styles';
import type { Pod, PodAnswer, PodContainer } from '@plimsoll/contract/wire/kubernetes';
import { Age } from '../../components/age.tsx';
import { Facts } from '../../components/facts.tsx';
import { Figure } from '../../components/figure.tsx';
import { StatusIcon } from '../../components/status-icons.tsx';
import { WarningRows } from '../../components/kubernetes/warning-rows.tsx';
import { momentMs } from '../../time/age.ts';
import { numberText } from '../../format/figures.ts';
import {
  boundsText,
  coresText,
  megabytesQuantity,
  memoryText,
  ownerText,
} from '../../components/kubernetes/kubernetes-words.ts';
import { originText } from '../../components/kubernetes/usage-origin.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';

const Quiet = styled('span')(({ theme }) => ({ color: theme.vars.palette.load.text3 }));
const Part = styled('section')(({ theme }) => ({
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > h3': { ...theme.typography.caption, margin: 0, padding: '10px 16px 2px', color: theme.vars.palette.load.text3 },
}));
const ContainerRow = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'auto auto minmax(0, 1fr) auto',
  alignItems: 'center',
  gap: 8,
  padding: '4px 16px',
  '& > b': { fontWeight: 600 },
  '& > .ended': { ...theme.typography.caption, gridColumn: '2 / -1', color: theme.vars.palette.text.secondary },
  '& > code': {
    fontSize: 11,
    color: theme.vars.palette.load.text3,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  },
}));
const LastLines = styled('pre')(({ theme }) => ({
  margin: '4px 0',
  padding: '4px 8px',
  maxHeight: 120,
  overflow: 'auto',
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  fontSize: 11,
  borderRadius: 4,
  backgroundColor: theme.vars.palette.background.default,
}));
const List = styled('ul')({ listStyle: 'none', margin: 0, padding: '0 0 8px' });

function restartsFact({ restart_count: count, last_restart: last }: Pod) {
  if (last === null) return numberText(count);
  return (
    <>
      {numberText(count)}{' '}
      <Quiet>
        last <Age at={momentMs(last.at)} />
        {last.reason === null ? ', reason not seen' : `, ${escapeInvisible(last.reason)}`}
      </Quiet>
    </>
  );
}

/** Leads to the page of what owns the pod. */
function OwnerLink({ pod, owner }: { pod: Pod; owner: string }) {
  const { cluster_id, namespace, owner_kind, owner_name } = pod;
  if (owner_kind === null || owner_name === null) return escapeInvisible(owner);
  return (
    <Link to={paths.kubernetesWorkload({ cluster_id, namespace, owner_kind, owner_name })}>
      {escapeInvisible(owner)}
    </Link>
  );
}

const RESIZE_WORDS: Record<NonNullable<Pod['resize']>['state'], string> = {
  pending: 'Waits for the kubelet',
  in_progress: 'In progress',
  deferred: 'Refused for now',
  infeasible: 'Refused',
  error: 'Failed',
};

/** "Refused: Node didn't have enough capacity, 5 min ago" */
function resizeFact({ state, message, since }: NonNullable<Pod['resize']>) {
  return (
    <>
      {RESIZE_WORDS[state]}
      {message !== null && `: ${escapeInvisible(message)}`}
      {since !== null && (
        <Quiet>
          {' '}
          since <Age at={momentMs(since)} />
        </Quiet>
      )}
    </>
  );
}

/** Amounts that the kubelet applied while the pod is resized, beside the wanted ones. */
function RunsWith({ container: { running, requests, limits } }: { container: PodContainer }) {
  if (running === null) return null;
  const words = (own: { requests: PodContainer['requests']; limits: PodContainer['limits'] }) =>
    [
      ['CPU', boundsText(own.limits.cpu_cores, own.requests.cpu_cores, coresText)],
      ['memory', boundsText(own.limits.memory_mb, own.requests.memory_mb, memoryText)],
    ]
      .map(([name, bounds]) => `${name ?? ''} ${bounds ?? 'without bounds'}`)
      .join('; ');
  return (
    <div className="ended">
      <div>Runs with: {words(running)}</div>
      <div>Wanted: {words({ requests, limits })}</div>
    </div>
  );
}

export function PodFacts({ pod }: { pod: Pod }) {
  const { requests, limits, usage_origin: origin, unknown_fields: unknown } = pod;
  const owner = ownerText(pod);
  const source = originText(origin);
  const code = (text: string | null) => (text === null ? null : <code>{escapeInvisible(text)}</code>);
  return (
    <Facts
      facts={[
        {
          name: 'CPU',
          value: (
            <>
              <Figure value={coresText(pod.cpu_usage_cores)} unit="cores" reason={origin.reason} />{' '}
              <Quiet>{boundsText(limits.cpu_cores, requests.cpu_cores, coresText)}</Quiet>
            </>
          ),
        },
        {
          name: 'Memory',
          value: (
            <>
              <Figure {...megabytesQuantity(pod.memory_usage_mb)} reason={origin.reason} />{' '}
              <Quiet>{boundsText(limits.memory_mb, requests.memory_mb, memoryText)}</Quiet>
            </>
          ),
        },
        ...(source === null ? [] : [{ name: 'Measured by', value: source }]),
        ...(unknown === undefined ? [] : [{ name: 'N/A', value: escapeInvisible(unknown.join('; ')) }]),
        ...(pod.resize === null ? [] : [{ name: 'Resize', value: resizeFact(pod.resize) }]),
        { name: 'Restarts', value: restartsFact(pod) },
        { name: 'Owner', value: owner === null ? 'none' : <OwnerLink pod={pod} owner={owner} /> },
        { name: 'QoS', value: pod.qos_class },
        { name: 'Pod IP', value: code(pod.pod_ip) },
        { name: 'Host IP', value: code(pod.host_ip) },
      ]}
    />
  );
}

const containerStatus = ({ status, ready }: PodContainer) =>
  status === 'running' ? (ready ? 'active' : 'installing') : status === 'waiting' ? 'installing' : 'uninstalled';

/** The end of a container's run, with its last lines. */
function Ended({ label, of, end }: { label: string; of: string; end: PodContainer['exit'] }) {
  if (end === null) return null;
  const facts = [end.reason, end.exit_code === null ? null : `exit code ${end.exit_code}`].filter(
    (one) => one !== null,
  );
  return (
    <div className="ended">
      {label}: {escapeInvisible(facts.join(', ') || 'reason not known')}
      {end.finished_at !== null && (
        <>
          , <Age at={momentMs(end.finished_at)} />
        </>
      )}
      {end.message !== null && (
        <LastLines tabIndex={0} role="region" aria-label={`Last lines of ${escapeInvisible(of)}`}>
          {end.message.split('\n').map(escapeInvisible).join('\n')}
        </LastLines>
      )}
    </div>
  );
}

export function PodContainers({ pod }: { pod: Pod }) {
  return (
    <Part>
      <h3>Containers {pod.container_count}</h3>
      <List>
        {pod.containers.map((container) => (
          <ContainerRow key={`${container.init}/${container.name}`}>
            <StatusIcon status={containerStatus(container)} />
            <b>{escapeInvisible(container.name)}</b>
            <code title={escapeInvisible(container.image)}>{escapeInvisible(container.image)}</code>
            <span title={container.reason === null ? undefined : escapeInvisible(container.reason)}>
              {container.reason === null ? container.status : escapeInvisible(container.reason)}
              {container.init && <Quiet> init</Quiet>}
            </span>
            <RunsWith container={container} />
            <Ended label="Ended" of={container.name} end={container.exit} />
            <Ended label="Previous run" of={`the previous run of ${container.name}`} end={container.last_termination} />
          </ContainerRow>
        ))}
      </List>
    </Part>
  );
}

export function PodVolumes({ volumes }: { volumes: PodAnswer['volumes'] }) {
  if (volumes.length === 0) return null;
  return (
    <Part>
      <h3>Volumes</h3>
      <Facts
        facts={volumes.map(({ claim, used_mb: used, capacity_mb: capacity, reason }) => ({
          name: escapeInvisible(claim),
          value: (
            <>
              <Figure {...megabytesQuantity(used)} reason={reason} />{' '}
              {capacity !== null && <Quiet>of {memoryText(capacity)}</Quiet>}
              {capacity === null && used !== null && <Quiet>no known limit</Quiet>}
            </>
          ),
        }))}
      />
    </Part>
  );
}

export function PodEvents({ answer }: { answer: PodAnswer }) {
  if (answer.events.length === 0) return null;
  return (
    <Part>
      <h3>Events</h3>
      <WarningRows events={answer.events} subject={false} />
    </Part>
  );
}

export function PodLabels({ pod }: { pod: Pod }) {
  const labels = Object.entries(pod.labels);
  if (labels.length === 0) return null;
  return (
    <Part>
      <h3>Labels</h3>
      <List>
        {labels.map(([name, value]) => (
          <li key={name} style={{ padding: '2px 16px', overflowWrap: 'anywhere' }}>
            <code>
              {escapeInvisible(name)}={escapeInvisible(value)}
            </code>
          </li>
        ))}
      </List>
    </Part>
  );
}
