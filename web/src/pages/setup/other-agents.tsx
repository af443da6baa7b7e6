import { useState } from 'react';
import { generateToken } from '../../api/account.ts';
import { Notice } from '../../components/feedback/notice.tsx';
import { CopyButton } from '../../components/form/copy-button.tsx';
import { Toggle } from '../../components/form/toolbar.tsx';
import { Panel, PanelBody } from '../../components/panel.tsx';
import { isLoopback, isPlainHttp, withoutSecrets } from '../../format/install-command.ts';
import { type Sender, SENDER_TEXTS, SENDERS, tokenFileCommand } from '../../format/other-agents.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { Code, Columns, Command, Facts, Fine, Small, Stack, TOKEN_PLACEHOLDER } from './setup-parts.tsx';
import { InfoOutlined as InfoIcon } from '../../components/icons/first-load.tsx';

const SOURCES: readonly (readonly [string, string])[] = [
  ['node_exporter', 'through Prometheus or vmagent'],
  ['Remote write', '1.0 and 2.0'],
  ['OpenTelemetry', 'OTLP over HTTP'],
];

const CHOICES = SENDERS.map((each) => ({ value: each, label: SENDER_TEXTS[each].name }));

/** A name of its own each time: a token under a name in use would replace that one, and its sender would stop. */
const newTokenName = (sender: Sender): string =>
  `${SENDER_TEXTS[sender].name} ${new Date().toISOString().slice(0, 19).replace('T', ' ')}`;

/** Explains how machines with node_exporter or OpenTelemetry report here without an agent of Plimsoll. */
export function OtherAgents({ origin }: { origin: string }) {
  const [sender, setSender] = useState<Sender>('prometheus');
  const [tokens, setTokens] = useState<Partial<Record<Sender, string>>>({});
  const [refusal, setRefusal] = useState<string | null>(null);
  const { name, place, configure } = SENDER_TEXTS[sender];
  const token = tokens[sender];
  const configuration = configure(origin);

  const makeCommand = async () => {
    setRefusal(null);
    try {
      const made =
        token ??
        (await generateToken({ name: newTokenName(sender), scopes: ['metrics'], expires_in_days: null })).token;
      setTokens({ ...tokens, [sender]: made });
      return tokenFileCommand(sender, made);
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : 'Unknown error');
      throw error;
    }
  };
  return (
    <Columns>
      <Stack>
        <Panel title="1. What sends the metrics">
          <PanelBody>
            <Toggle label="Sender" value={sender} options={CHOICES} onChange={setSender} />
          </PanelBody>
        </Panel>
        <Panel
          title="2. Run this where it runs"
          actions={<CopyButton text={makeCommand} label="Copy command" variant="contained" />}
        >
          <PanelBody>
            <Stack>
              <Command
                text={withoutSecrets(tokenFileCommand(sender, token ?? TOKEN_PLACEHOLDER), token ? [token] : [])}
              />
              <Fine>
                <InfoIcon aria-hidden />
                <span>
                  Copying creates the token. It can only send metrics; it works until you revoke it on your Profile.
                  Then make the user of {name} the owner of the file (chown).
                </span>
              </Fine>
              {refusal !== null && <Notice tone="error">Creating the token failed: {refusal}</Notice>}
              <AddressNotices name={name} origin={origin} />
            </Stack>
          </PanelBody>
        </Panel>
        <Panel
          title="3. Configure it"
          note={place}
          actions={<CopyButton text={configuration} label="Copy configuration" variant="outlined" />}
        >
          <PanelBody>
            <Code
              role="group"
              tabIndex={0}
              sx={{ whiteSpace: 'pre', overflowX: 'auto' }}
              aria-label={`Configuration of ${name}`}
            >
              {configuration}
            </Code>
          </PanelBody>
        </Panel>
        <Panel title="4. See your servers" actions={<Link to={paths.servers}>Servers</Link>}>
          <PanelBody>
            Each machine appears there up to 80 s after its first metrics. Rates such as CPU and network follow a minute
            later.
          </PanelBody>
        </Panel>
      </Stack>
      <SideNotes name={name} origin={origin} />
    </Columns>
  );
}

interface NotesProps {
  /** The sender. */
  name: string;
  origin: string;
}

/** Says who cannot reach this address, and what others may read on the way. */
function AddressNotices({ name, origin }: NotesProps) {
  return (
    <>
      {isLoopback(origin) && (
        <Notice tone="warning">
          <strong>{origin} reaches this machine only.</strong>
          <p>{name} on another machine cannot send to it. Linux shows how to give the dashboard an address.</p>
        </Notice>
      )}
      {isPlainHttp(origin) && !isLoopback(origin) && (
        <Notice tone="warning">
          <strong>This address is plain http.</strong>
          <p>The token and the metrics travel unencrypted.</p>
        </Notice>
      )}
    </>
  );
}

function SideNotes({ name, origin }: NotesProps) {
  return (
    <Stack>
      <Panel title="What is taken">
        <PanelBody>
          <Facts>
            {SOURCES.map(([what, how]) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>{how}</dd>
              </div>
            ))}
          </Facts>
        </PanelBody>
      </Panel>
      <Panel title="What is missing">
        <PanelBody>
          <Small>
            These agents do not report processes, connections and activity. Plimsoll shows N/A there. Its own agent
            reports them.
          </Small>
        </PanelBody>
      </Panel>
      <Panel title="Nothing after 2 minutes?">
        <PanelBody>
          <Stack>
            <div>
              <Small>Address not reachable from that machine</Small>
              <code>curl -sS {origin}/healthz</code>
            </div>
            <div>
              <Small>The log of {name} says 401 or 403</Small>
              It reads another token, or the file ends with a line end.
            </div>
          </Stack>
        </PanelBody>
      </Panel>
    </Stack>
  );
}
