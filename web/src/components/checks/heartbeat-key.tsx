import { styled } from '@mui/material/styles';
import { heartbeatCommands } from './heartbeat-commands.ts';
import { isLoopback } from '../../format/install-command.ts';
import { publicUrl } from '../../state/public-url.ts';
import { useStored } from '../../state/use-stored.ts';
import { Notice } from '../feedback/notice.tsx';
import { CopyButton } from '../form/copy-button.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { Quiet } from '../form/form-parts.tsx';
import { Secret } from '../form/secret.tsx';

const Lines = styled('div')({ display: 'grid', justifyItems: 'start', gap: 6, '& > code': { width: '100%' } });
const Code = styled(Secret)({ whiteSpace: 'pre-wrap' });

interface HeartbeatKeyProps {
  name: string;
  heartbeatKey: string;
  onClose: () => void;
}

/** The key of a new heartbeat and the lines that call it. The API returns the key this once. */
export function HeartbeatKey({ name, heartbeatKey, onClose }: HeartbeatKeyProps) {
  const [stored] = useStored(publicUrl);
  const origin = stored ?? window.location.origin;
  const { short, whole } = heartbeatCommands(origin, heartbeatKey);
  return (
    <FormDialog title={`Let the job call ${name}`} submit="Done" isDone onSubmit={onClose} onClose={onClose}>
      <Notice tone="warning">
        Copy it now. The key is not shown again, and whoever has it can call the heartbeat.
      </Notice>
      <Lines>
        <Quiet>After a good end. Replace backup.sh by your job.</Quiet>
        <Code>{short}</Code>
        <CopyButton text={short} label="Copy command" copied="Command copied" />
      </Lines>
      <Lines>
        <Quiet>With duration, exit status and the end of the output, which members can read.</Quiet>
        <Code>{whole}</Code>
        <CopyButton text={whole} label="Copy both commands" copied="Commands copied" />
      </Lines>
      <Lines>
        <Quiet>The key alone</Quiet>
        <Code>{heartbeatKey}</Code>
        <CopyButton text={heartbeatKey} label="Copy key" copied="Key copied" />
      </Lines>
      {isLoopback(origin) && (
        <Notice tone="warning">
          {origin} reaches this computer only. A job of another machine needs an address that it can reach.
        </Notice>
      )}
    </FormDialog>
  );
}
