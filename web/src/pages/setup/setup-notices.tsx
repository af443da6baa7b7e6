import { CopyButton } from '../../components/form/copy-button.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { restartCommand } from '../../format/install-command.ts';
import { Command } from './setup-parts.tsx';
import type { Target } from './install-progress.ts';
import { TARGETS } from './targets.ts';

const BUILD_IMAGES = 'npm run build:images -- --registry registry.example.com/team --push';

interface LoopbackNoticeProps {
  origin: string;
  /** Addresses of the machine of the dashboard. */
  addresses: readonly string[];
  target: Target;
}

/** Says how to give the dashboard an address that other machines reach. */
export function LoopbackNotice({ origin, addresses, target }: LoopbackNoticeProps) {
  const [first, ...others] = addresses;
  const command = restartCommand(origin, first ?? 'ADDRESS');
  return (
    <Notice tone="warning">
      <strong>{origin} reaches this machine only.</strong>
      <p>
        {target === 'kubernetes'
          ? 'Pods cannot report to it, so the command cannot work yet.'
          : 'The command works on this machine. Other machines cannot report here.'}{' '}
        Stop Plimsoll, start it with this line, and open Setup at the new address:
      </p>
      <Command text={command} />
      {first === undefined ? (
        <p>Put the address of this machine in place of ADDRESS. Plimsoll found none.</p>
      ) : (
        <CopyButton text={command} label="Copy restart line" />
      )}
      {others.length > 0 && <p>This machine also has {others.join(', ')}. Use the address that the others reach.</p>}
    </Notice>
  );
}

/** Says how to bring the images, which nobody publishes for this dashboard. */
export function RegistryNotice() {
  return (
    <Notice tone="warning">
      <strong>The command needs an image registry.</strong>
      <p>
        Push the images once, from a clone of Plimsoll, to a registry that the cluster reaches. Then write the registry
        into the options above. To set it for everyone, start the dashboard with PLIMSOLL_IMAGE_REGISTRY.
      </p>
      <Command text={BUILD_IMAGES} />
      <CopyButton text={BUILD_IMAGES} label="Copy build line" />
    </Notice>
  );
}

const listed = new Intl.ListFormat('en', { type: 'conjunction' });

/** Names the kits that are missing and the command that builds them, before a machine runs into the 404. */
export function KitsNotice({ target, names }: { target: Target; names: readonly string[] }) {
  return (
    <Notice tone="warning">
      <strong>
        The agent for {TARGETS[target].label} {listed.format(names)} is not built yet.
      </strong>
      <p>
        The install script cannot download it. Run <code>npm run build:agent</code> on the machine of the dashboard,
        then reload this page.
      </p>
    </Notice>
  );
}
