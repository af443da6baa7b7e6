import type { ServersAnswer } from '@plimsoll/contract/wire/servers';
import { nearestServers } from '../../components/fleet/fleet-bars.ts';
import { plural } from '../../format/figures.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';

/** Within a sentence, colour alone does not mark a link. */
const IN_TEXT = { textDecoration: 'underline', textUnderlineOffset: 3 } as const;

/** The answer of the page in one sentence: how many are over, and which is nearest. */
export function DashboardSentence({ answer }: { answer: ServersAnswer | undefined }) {
  if (answer === undefined) return <>Loading the fleet…</>;
  const { online, over_line: over } = answer.summary;
  const [first] = nearestServers(answer.fleet, 1);
  if (online === 0) return <>No server is online.</>;
  const count =
    over === 0
      ? `${online === 1 ? 'The online server is' : `All ${plural(online, 'online server')} are`} below ${online === 1 ? 'its' : 'their'} line.`
      : `${over} of ${plural(online, 'online server')} ${over === 1 ? 'is over its' : 'are over their'} line.`;
  return (
    <>
      {count}{' '}
      {first !== undefined && (
        <>
          Most loaded:{' '}
          <Link to={paths.server(first.server_id)} style={IN_TEXT}>
            {escapeInvisible(first.hostname)}
          </Link>
          .
        </>
      )}
    </>
  );
}
