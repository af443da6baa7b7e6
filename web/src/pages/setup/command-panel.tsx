import InfoIcon from '@mui/icons-material/InfoOutlined';
import { styled } from '@mui/material/styles';
import type { ClipboardEvent, ReactNode } from 'react';
import { CopyButton } from '../../components/form/copy-button.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Panel, PanelBody } from '../../components/panel.tsx';
import { isLoopback, isPlainHttp } from '../../format/install-command.ts';
import { Command, Small, Stack } from './setup-parts.tsx';

const Fine = styled(Small)({ display: 'flex', gap: 6, '& > svg': { fontSize: 14, marginTop: 1, flex: 'none' } });

interface CommandPanelProps {
  step: number;
  note: string | undefined;
  origin: string;
  /** What is copied, and what is shown of it. */
  command: string;
  shown: string;
  /** What the token may do and how long. */
  about: ReactNode;
  onCopy: () => void;
}

/** The command, its secrets covered; copied in full whichever way it is copied. */
export function CommandPanel({ step, note, origin, command, shown, about, onCopy }: CommandPanelProps) {
  const copyInFull = (event: ClipboardEvent) => {
    event.preventDefault();
    event.clipboardData.setData('text/plain', command);
    onCopy();
  };
  return (
    <Panel
      title={`${step}. Run this once`}
      note={note}
      actions={<CopyButton text={command} label="Copy command" copied="Copied" variant="contained" onCopy={onCopy} />}
    >
      <PanelBody>
        <Stack>
          <Command onCopy={copyInFull} text={shown} />
          <Fine>
            <InfoIcon aria-hidden />
            <span>{about} Hidden characters are copied in full.</span>
          </Fine>
          {isLoopback(origin) && (
            <Notice tone="warning">
              <strong>{origin} reaches this machine only.</strong>
              <p>
                Another machine cannot report here. Set <code>PLIMSOLL_PUBLIC_URL</code> to the address others reach
                this dashboard at, or open it under that address.
              </p>
            </Notice>
          )}
          {isPlainHttp(origin) && !isLoopback(origin) && (
            <Notice tone="warning">
              <strong>This address is plain http.</strong>
              <p>The token and the reports travel unencrypted. The command says that this is meant.</p>
            </Notice>
          )}
        </Stack>
      </PanelBody>
    </Panel>
  );
}
