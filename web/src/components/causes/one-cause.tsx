import { DAY_MS } from '@plimsoll/contract/rules/durations';
import type { LikelyCause } from '@plimsoll/contract/wire/causes';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { Link } from '../../router.ts';
import { momentMs } from '../../time/age.ts';
import { clockSeconds, clockTime, dayAndTime, fullMoment } from '../../time/zone.ts';
import { CopyButton } from '../form/copy-button.tsx';
import { LightbulbOutlined as CauseIcon } from '../icons/pages.tsx';
import { entityName, explainsWords, ownPage } from './cause-words.ts';

/** The time of the day; with the date if it is longer ago. */
function since(moment: string | null): string {
  const ms = momentMs(moment);
  if (ms === null) return 'since a time that is not known';
  return `since ${Date.now() - ms < DAY_MS ? clockTime(ms) : dayAndTime(ms)}`;
}

/** Words that lead to their page, where one shows them. */
function Words({ text, href }: { text: string; href: string | null }) {
  const to = ownPage(href);
  const words = escapeInvisible(text);
  return to === null ? words : <Link to={to}>{words}</Link>;
}

type EvidenceLine = LikelyCause['evidence'][number];

function EvidenceRow({ line: { text, at, href, is_quote: isQuote } }: { line: EvidenceLine }) {
  const ms = momentMs(at);
  const words = <Words text={text} href={href} />;
  return (
    <li>
      {ms === null ? (
        <span className="quiet" aria-hidden>
          –
        </span>
      ) : (
        <time dateTime={at ?? undefined} title={fullMoment(ms)}>
          {clockSeconds(ms)}
        </time>
      )}
      <span>{isQuote === true ? <code>“{words}”</code> : words}</span>
    </li>
  );
}

interface OneCauseProps {
  cause: LikelyCause;
  /** Symptoms of the whole incident. */
  symptoms: number;
  /** The likeliest; the others stand beside it. */
  isFirst: boolean;
}

/** A cause with its evidence, what speaks against it, and what to do next. */
export function OneCause({ cause, symptoms, isFirst }: OneCauseProps) {
  const { finding, mechanism_title: mechanism, evidence, against, entities, next, explains } = cause;
  const { command } = next;
  return (
    <div>
      <h3>
        <CauseIcon aria-hidden />
        <span>
          {isFirst ? 'Likely cause: ' : 'Also likely: '}
          {escapeInvisible(finding)}
        </span>
      </h3>
      <p className="quiet">
        {escapeInvisible(mechanism)}, {since(cause.since)}, {explainsWords(explains, symptoms)}
      </p>
      {evidence.length > 0 && (
        <ul className="evidence" aria-label="Evidence">
          {evidence.map((line, index) => (
            <EvidenceRow key={index} line={line} />
          ))}
        </ul>
      )}
      {against.length > 0 && (
        <ul aria-label="Speaks against it">
          {against.map((text, index) => (
            <li key={index}>
              <span className="quiet">Against it:</span> <span>{escapeInvisible(text)}</span>
            </li>
          ))}
        </ul>
      )}
      <p>
        <span className="quiet">Next:</span> <span>{escapeInvisible(next.text)}</span>
      </p>
      <div className="acts">
        {entities.map((entity, index) => {
          const to = ownPage(entity.href);
          return to === null ? null : (
            <Link key={index} to={to}>
              Open {entityName(entity)}
            </Link>
          );
        })}
        {command !== null && (
          <>
            <code>{escapeInvisible(command)}</code>
            <CopyButton text={command} label="Copy the command" />
          </>
        )}
      </div>
    </div>
  );
}
