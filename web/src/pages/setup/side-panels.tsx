import { CopyButton } from '../../components/form/copy-button.tsx';
import { Panel, PanelBody } from '../../components/panel.tsx';
import type { Target } from './install-progress.ts';
import { Command, Facts, Small, Stack } from './setup-parts.tsx';
import { TARGETS } from './targets.ts';

interface SidePanelsProps {
  target: Target;
  origin: string;
}

/** Requirements, checks when nothing arrives, and the way to uninstall. */
export function SidePanels({ target, origin }: SidePanelsProps) {
  const { requirements, trouble, uninstall } = TARGETS[target];
  return (
    <Stack>
      <Panel title="Requirements">
        <PanelBody>
          <Facts>
            {requirements.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </Facts>
        </PanelBody>
      </Panel>
      <Panel title="Nothing after 2 minutes?">
        <PanelBody>
          <Stack>
            {trouble.map(([what, command]) => (
              <div key={what}>
                <Small>{what}</Small>
                <code>{command}</code>
              </div>
            ))}
            <div>
              <Small>Address not reachable from that machine</Small>
              <code>curl -sS {origin}/healthz</code>
            </div>
          </Stack>
        </PanelBody>
      </Panel>
      <Panel title="Uninstall" actions={<CopyButton text={uninstall(origin)} name="Copy uninstall command" />}>
        <PanelBody>
          <Command text={uninstall(origin)} />
        </PanelBody>
      </Panel>
    </Stack>
  );
}
