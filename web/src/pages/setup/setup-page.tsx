import Skeleton from '@mui/material/Skeleton';
import { useState } from 'react';
import { createClusterToken, createEnrolmentToken } from '../../api/install.ts';
import { Page } from '../../components/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { ErrorState, failureDetail } from '../../components/feedback/states.tsx';
import { TabBar } from '../../components/tab-bar.tsx';
import {
  HELM_NAMESPACE,
  helmInstallCommand,
  hostInstallCommand,
  telegramOrNull,
  withoutSecrets,
} from '../../format/install-command.ts';
import { paths } from '../../paths.ts';
import { useSearchParams } from '../../router.ts';
import { InstallPanels } from './install-panels.tsx';
import type { Target } from './install-progress.ts';
import { DEFAULT_OPTIONS, KubernetesOptions } from './kubernetes-options.tsx';
import type { ClusterOptions } from './kubernetes-options.tsx';
import { Columns, Stack } from './setup-parts.tsx';
import { SidePanels } from './side-panels.tsx';
import { TARGET_ORDER, targetOf, TARGETS } from './targets.ts';
import { useMadeOnce } from './use-made-once.ts';

const HELM_NOTE = `namespace ${HELM_NAMESPACE}`;
const HOST_ABOUT = 'The token can only enrol servers, ends in 24 h, and cannot read anything.';
const CLUSTER_ABOUT =
  'The token can only enrol and report for one cluster; it cannot read anything. One was made for this visit; it works until you revoke it on your Profile. Helm before 3.2 has no --create-namespace: create the namespace first.';

function commandOf(target: Target, origin: string, token: string, options: ClusterOptions) {
  if (target !== 'kubernetes') {
    const command = hostInstallCommand({ origin, enrolmentToken: token });
    return { command, shown: withoutSecrets(command, [token]) };
  }
  const telegram = telegramOrNull(options.telegram, options.botToken, options.chatId);
  const command = helmInstallCommand({ origin, clusterToken: token, prometheus: options.prometheus, telegram });
  return { command, shown: withoutSecrets(command, [token, telegram?.botToken ?? '']) };
}

export function Component() {
  const [search] = useSearchParams();
  const target = targetOf(search.get('on'));
  const cluster = target === 'kubernetes';
  const [options, setOptions] = useState(DEFAULT_OPTIONS);
  const host = useMadeOnce(createEnrolmentToken, true);
  const clusterToken = useMadeOnce(createClusterToken, cluster);

  const token = cluster ? clusterToken.made : host.made;
  const trouble = cluster && host.failure === null ? clusterToken : host;
  const origin = host.made?.public_url ?? window.location.origin;
  return (
    <Page
      title="Setup"
      sentence={`Install the agent on a server or a cluster. ${cluster ? 'Nodes' : 'Servers'} appear in 1-2 minutes; metrics are sent every 60 seconds.`}
    >
      <TabBar
        label="What to install on"
        replace
        tabs={TARGET_ORDER.map((each) => ({
          to: each === 'linux' ? paths.setup : `${paths.setup}?on=${each}`,
          label: TARGETS[each].label,
          current: each === target,
        }))}
      />
      <Columns>
        <Stack>
          {cluster && <KubernetesOptions options={options} onChange={setOptions} />}
          {token === null || host.made === null ? (
            <Pending failure={trouble.failure} onRetry={trouble.retry} />
          ) : (
            <InstallPanels
              key={`${target} ${cluster && options.prometheus}`}
              plan={{ target, prometheus: options.prometheus }}
              firstStep={cluster ? 2 : 1}
              origin={origin}
              tokenId={token.id}
              note={cluster ? HELM_NOTE : undefined}
              about={cluster ? CLUSTER_ABOUT : HOST_ABOUT}
              {...commandOf(target, origin, token.token, options)}
            />
          )}
        </Stack>
        <SidePanels target={target} origin={origin} />
      </Columns>
    </Page>
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
        <Skeleton height={92} sx={{ m: 2 }} aria-label="Making an install token" />
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
