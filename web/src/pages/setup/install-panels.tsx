import type { ReactNode } from 'react';
import { CommandPanel } from './command-panel.tsx';
import type { CommandPanelProps } from './command-panel.tsx';
import type { InstallPlan } from './install-progress.ts';
import { ProgressPanel } from './progress-panel.tsx';
import { useConnection } from './use-connection.ts';
import { useInstallRun } from './use-install-run.ts';

interface InstallPanelsProps {
  plan: InstallPlan;
  firstStep: number;
  origin: string;
  tokenId: string | null;
  command: CommandPanelProps['command'];
  cannotWork: ReactNode;
  notices: ReactNode;
  withWget: CommandPanelProps['withWget'];
  shown: string;
  note: string | undefined;
  about: ReactNode;
}

/** The command and what becomes of it. Another tab or another toggle is another installation: the caller gives a key. */
export function InstallPanels({ plan, firstStep, tokenId, ...command }: InstallPanelsProps) {
  const { connection, check } = useConnection(plan.target, tokenId);
  const run = useInstallRun({ plan, check });
  return (
    <>
      <CommandPanel {...command} step={firstStep} onCopy={run.start} />
      <ProgressPanel step={firstStep + 1} plan={plan} run={run} connection={connection} />
    </>
  );
}
