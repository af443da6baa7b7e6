import Skeleton from '@mui/material/Skeleton';
import { useState } from 'react';
import { createClusterToken, createEnrolmentToken } from '../../api/install.ts';
import { useQuery } from '../../api/query.ts';
import { profileQuery } from '../../api/user.ts';
import type { ClusterTokenAnswer } from '@plimsoll/contract/wire/kubernetes';
import { Notice } from '../../components/feedback/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState, ErrorState, failureDetail } from '../../components/feedback/states.tsx';
import { TabBar } from '../../components/tab-bar.tsx';
import {
  HELM_NAMESPACE,
  helmInstallCommand,
  hostInstallCommand,
  isLoopback,
  telegramOrNull,
  withoutSecrets,
} from '../../format/install-command.ts';
import { paths } from '../../paths.ts';
import { useSearchParams } from '../../router.ts';
import { InstallPanels } from './install-panels.tsx';
import type { Target } from './install-progress.ts';
import { DEFAULT_OPTIONS, KubernetesOptions, registryOrNull } from './kubernetes-options.tsx';
import type { ClusterOptions } from './kubernetes-options.tsx';
import { OtherAgents } from './other-agents.tsx';
import { KitsNotice, LoopbackNotice, RegistryNotice } from './setup-notices.tsx';
import { Columns, Stack, TOKEN_PLACEHOLDER } from './setup-parts.tsx';
import { SidePanels } from './side-panels.tsx';
import { missingKits, TARGET_ORDER, targetOf, TARGETS } from './targets.ts';
import { useMadeOnce } from './use-made-once.ts';

/** Value of `?on=` for agents of others, which are not installed from here. */
const OTHER = 'other';
const HELM_NOTE = `namespace ${HELM_NAMESPACE}`;
const HOST_ABOUT =
  'The token can only enrol servers, ends in 24 h, and cannot read anything. Hidden characters are copied in full.';
const OTHER_SENTENCE =
  'Keep node_exporter or OpenTelemetry: what they measure makes servers here, without a second agent.';
const CLUSTER_ABOUT =
  'Copying creates the token. It can only enrol and report for one cluster; it cannot read anything. It expires after 24 h if no cluster uses it; after that it works until you revoke it on your Profile. Helm before 3.2 has no --create-namespace: create the namespace first.';
/** Stands where the registry will be; the command cannot be copied then. */
const REGISTRY_PLACEHOLDER = '<registry>';

interface CommandParts {
  target: Target;
  origin: string;
  images: { registry: string; tag: string | null };
  options: ClusterOptions;
}

/** `made` null: the placeholder stands for the token. */
function commandOf({ target, origin, images, options }: CommandParts, made: string | null) {
  const token = made ?? TOKEN_PLACEHOLDER;
  const secret = made ?? '';
  if (target !== 'kubernetes') {
    const install = { origin, enrolmentToken: token };
    const command = hostInstallCommand(install);
    const withWget = hostInstallCommand(install, 'wget');
    return { command, withWget, shown: withoutSecrets(command, [secret]) };
  }
  const telegram = telegramOrNull(options.telegram, options.botToken, options.chatId);
  const { clusterName, prometheus } = options;
  const command = helmInstallCommand({ origin, images, clusterName, clusterToken: token, prometheus, telegram });
  return { command, withWget: null, shown: withoutSecrets(command, [secret, telegram?.botToken ?? '']) };
}

/** Returns the command, and the token of a cluster that a copy of the command creates. */
function useCommand(parts: CommandParts, hostToken: string | null) {
  const [clusterToken, setClusterToken] = useState<ClusterTokenAnswer | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const isCluster = parts.target === 'kubernetes';
  const createCommand = async () => {
    setRefusal(null);
    try {
      const created = await createClusterToken();
      setClusterToken(created);
      return commandOf(parts, created.token).command;
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : 'Unknown error');
      throw error;
    }
  };
  const written = commandOf(parts, isCluster ? (clusterToken?.token ?? null) : hostToken);
  const command = isCluster && clusterToken === null ? createCommand : written.command;
  return { ...written, command, clusterTokenId: clusterToken?.id ?? null, refusal };
}

function ForAdmins() {
  return (
    <Page title="Setup">
      <Panel>
        <EmptyState
          sentence="Only an admin installs agents"
          reason="Your role cannot create install tokens. Request the command from an admin of your organisation."
        />
      </Panel>
    </Page>
  );
}

export function Component() {
  const [search] = useSearchParams();
  const role = useQuery(profileQuery()).data?.user.role;
  const on = search.get('on');
  const target = targetOf(on);
  const isOther = on === OTHER;
  const cluster = target === 'kubernetes';
  const [options, setOptions] = useState(DEFAULT_OPTIONS);
  const host = useMadeOnce(createEnrolmentToken, role === 'admin');

  const origin = host.made?.public_url ?? window.location.origin;
  const registryText = options.registry ?? host.made?.image_registry ?? '';
  const registry = registryOrNull(registryText);
  const images = { registry: registry ?? REGISTRY_PLACEHOLDER, tag: host.made?.image_tag ?? null };
  const { command, withWget, shown, clusterTokenId, refusal } = useCommand(
    { target, origin, images, options },
    host.made?.token ?? null,
  );
  const missing = missingKits(target, host.made?.kits ?? []);
  const loopback = isLoopback(origin) && (
    <LoopbackNotice origin={origin} addresses={host.made?.lan_addresses ?? []} target={target} />
  );
  const kits = missing.names.length > 0 && <KitsNotice target={target} names={missing.names} />;
  const blocked = missing.all ? kits : cluster && (loopback || (registry === null && <RegistryNotice />));
  if (role !== undefined && role !== 'admin') return <ForAdmins />;
  return (
    <Page
      title="Setup"
      sentence={
        isOther
          ? OTHER_SENTENCE
          : `Install the agent on a server or a cluster. ${cluster ? 'Nodes' : 'Servers'} appear in 1-2 minutes; metrics are sent every 60 seconds.`
      }
    >
      <Targets current={isOther ? OTHER : target} />
      {isOther ? (
        <OtherAgents origin={origin} />
      ) : (
        <Columns>
          <Stack>
            {cluster && <KubernetesOptions registry={registryText} options={options} onChange={setOptions} />}
            {host.made === null ? (
              <Pending failure={host.failure} onRetry={host.retry} />
            ) : (
              <InstallPanels
                key={`${target} ${cluster && options.prometheus}`}
                plan={{ target, prometheus: options.prometheus }}
                firstStep={cluster ? 2 : 1}
                origin={origin}
                tokenId={cluster ? clusterTokenId : host.made.id}
                note={cluster ? HELM_NOTE : undefined}
                about={cluster ? CLUSTER_ABOUT : HOST_ABOUT}
                command={command}
                withWget={withWget}
                shown={shown}
                cannotWork={blocked === false ? null : blocked}
                notices={
                  <>
                    {refusal !== null && <Notice tone="error">Creating the token failed: {refusal}</Notice>}
                    {blocked !== kits && kits}
                    {blocked !== loopback && loopback}
                  </>
                }
              />
            )}
          </Stack>
          <SidePanels target={target} origin={origin} />
        </Columns>
      )}
    </Page>
  );
}

/** One tab for each kind of machine, and one for agents of others. */
function Targets({ current }: { current: Target | typeof OTHER }) {
  const tabOf = (id: Target | typeof OTHER, label: string) => ({
    to: id === 'linux' ? paths.setup : `${paths.setup}?on=${id}`,
    label,
    current: id === current,
  });
  return (
    <TabBar
      label="Installation target"
      replace
      tabs={[...TARGET_ORDER.map((each) => tabOf(each, TARGETS[each].label)), tabOf(OTHER, 'Other agents')]}
    />
  );
}

interface PendingProps {
  failure: ReturnType<typeof useMadeOnce>['failure'];
  onRetry: () => void;
}

/** The command needs its token: what stands there until it has come, or when it does not. */
function Pending({ failure, onRetry }: PendingProps) {
  return (
    <Panel title="Run this once">
      {failure === null ? (
        <Skeleton height={92} sx={{ m: 2 }} aria-label="Creating an install token" />
      ) : (
        <ErrorState
          message={failure.error.message}
          detail={failureDetail(failure.error)}
          at={failure.at}
          onRetry={onRetry}
        />
      )}
    </Panel>
  );
}
