import type { ClipboardEvent, ReactNode } from 'react';
import { CopyButton } from '../../components/form/copy-button.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Panel, PanelBody } from '../../components/panel.tsx';
import { copyText } from '../../components/form/copy-text.ts';
import { isLoopback, isPlainHttp } from '../../format/install-command.ts';
import { Command, Fine, Stack } from './setup-parts.tsx';
import { InfoOutlined as InfoIcon } from '../../components/icons/first-load.tsx';

export interface CommandPanelProps {
  step: number;
  note: string | undefined;
  origin: string;
  /** The copied command; a function creates its secret first. */
  command: string | (() => Promise<string>);
  /** The same command for machines without curl; null: it uses another program. */
  withWget: string | null;
  /** The command with its secrets covered. */
  shown: string;
  /** Why the command cannot work yet: then nothing offers to copy it. Null: it can. */
  cannotWork: ReactNode;
  /** Notes to read before the command is run. */
  notices: ReactNode;
  /** Rights and lifetime of the token. */
  about: ReactNode;
  onCopy: () => void;
}

/** The command, its secrets covered; copied in full whichever way it is copied. */
export function CommandPanel(props: CommandPanelProps) {
  const { step, note, origin, command, withWget, shown, cannotWork, notices, about, onCopy } = props;
  const make = async () => {
    const made = typeof command === 'string' ? command : await command();
    onCopy();
    return made;
  };
  const copyInFull = (event: ClipboardEvent) => {
    if (cannotWork !== null) return;
    event.preventDefault();
    if (typeof command === 'string') {
      event.clipboardData.setData('text/plain', command);
      onCopy();
    } else make().then(copyText, () => undefined);
  };
  const button =
    typeof command === 'string' ? (
      <CopyButton text={command} label="Copy command" variant="contained" onCopy={onCopy} />
    ) : (
      <CopyButton text={make} label="Copy command" variant="contained" />
    );
  const buttons =
    withWget === null ? (
      button
    ) : (
      <>
        <CopyButton text={withWget} label="Copy with wget" onCopy={onCopy} />
        {button}
      </>
    );
  return (
    <Panel title={`${step}. Run this once`} note={note} actions={cannotWork === null ? buttons : undefined}>
      <PanelBody>
        <Stack>
          <Command onCopy={copyInFull} text={shown} />
          <Fine>
            <InfoIcon aria-hidden />
            <span>{about}</span>
          </Fine>
          {cannotWork}
          {notices}
          {isPlainHttp(origin) && !isLoopback(origin) && (
            <Notice tone="warning">
              <strong>This address is plain http.</strong>
              <p>The token and the reports travel unencrypted. The command contains an option that allows this.</p>
            </Notice>
          )}
        </Stack>
      </PanelBody>
    </Panel>
  );
}
