import { virtualizationText } from '@plimsoll/contract/rules/machines/virtualization';
import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { Facts } from '../../components/facts.tsx';
import { Panel } from '../../components/panel.tsx';
import { momentMs } from '../../time/age.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { day } from '../../time/zone.ts';
import { Copyable } from '../../components/form/copyable.tsx';
import { DeleteServer } from './delete-server.tsx';
import { EditServer } from './edit-server.tsx';

const ID_CHARACTERS = 8;
const PLATFORM = new Map([
  ['linux', 'Linux'],
  ['darwin', 'macOS'],
]);

const tagText = (tags: Record<string, string>) =>
  Object.entries(tags)
    .map(([name, value]) => (value === '' || value === 'true' ? name : `${name}=${value}`))
    .map(escapeInvisible)
    .join(', ');

/** A pod reads the node that it runs on, so it is not what the node runs in. */
function virtualizationFact({ virtualization, is_kubernetes_node: isNode }: ServerDetail) {
  if (virtualization == null || (isNode && virtualization === 'kubernetes')) return [];
  return [{ name: 'Runs in', value: escapeInvisible(virtualizationText(virtualization)) }];
}

function factsOf(server: ServerDetail) {
  const text = (value: string | null) => (value === null ? null : escapeInvisible(value));
  return [
    {
      name: 'Hostname',
      value: (
        <Copyable text={server.hostname} name="Copy host name">
          {escapeInvisible(server.hostname)}
        </Copyable>
      ),
    },
    {
      name: 'Server ID',
      value: (
        <Copyable text={server.id} name="Copy server ID">
          <code title={server.id}>{server.id.slice(0, ID_CHARACTERS)}</code>
        </Copyable>
      ),
    },
    {
      name: 'Platform',
      value: text(
        [PLATFORM.get(server.platform ?? '') ?? server.platform, server.kernel].filter(Boolean).join(' ') || null,
      ),
    },
    { name: 'Architecture', value: text(server.architecture) },
    ...virtualizationFact(server),
    { name: 'Processor', value: text(server.cpu_model) },
    { name: 'Region', value: text(server.region) ?? 'not given' },
    {
      name: 'Agent',
      value: `${text(server.cli_version) ?? 'version unknown'}, reports every ${server.report_interval_seconds} s`,
    },
    { name: 'First seen', value: day(momentMs(server.created_at) ?? Number.NaN) },
    { name: 'Tags', value: tagText(server.tags) || 'none' },
  ];
}

export function ServerInformation({ server }: { server: ServerDetail }) {
  return (
    <Panel
      title="Server Information"
      fold={[server.kernel, server.architecture]
        .filter((part) => part !== null)
        .map(escapeInvisible)
        .join(', ')}
      actions={
        <>
          <EditServer server={server} />
          <DeleteServer server={server} />
        </>
      }
    >
      <Facts facts={factsOf(server)} />
    </Panel>
  );
}
