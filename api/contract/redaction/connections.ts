import { levelOf } from './guess.ts';
import { REDACTED } from './shapes.ts';

/** `user/secret@host:port/service` of Oracle, with or without `jdbc:oracle:thin:` before it. */
const SLASHED = /(^|[=:"'(])([\w.-]{1,40})\/([^\s/@"']{1,64})@(?=\/\/|\(DESCRIPTION|[\w.-]{1,100}:\d{1,5}(?:[/:]|$))/i;
/** A line of .pgpass: host:port:database:user:secret. */
const PGPASS = /^(["']?[\w.*-]{1,64}:(?:\d{1,5}|\*):[\w*-]{1,64}:[\w.*-]{1,64}:)([^\s"'/:][^\s"']{2,})/;

/** A pair after the name of an account that every system has. */
const ACCOUNT =
  /^(['"[(]{0,2}(?:root|admin|administrator|sa|postgres|guest|oracle|ubuntu|pi)[:/])([A-Za-z][^\s:/@,;'")\]]{5,63})(?=['")\],;]{0,2}$)/;

/** Hides the secret of a connection string that is no URL and has no name before its secret. */
export function redactConnection(word: string): string {
  if (word.length > 1024) return word;
  const account = ACCOUNT.exec(word);
  if (account?.[2] !== undefined && levelOf(account[2]) >= 1 && !/^v\d/.test(account[2]))
    return word.replace(account[2], REDACTED);
  if (!word.includes(':')) return word;
  return word
    .replace(SLASHED, (_all, before: string, user: string) => `${before}${user}/${REDACTED}@`)
    .replace(PGPASS, (_all, head: string) => head + REDACTED);
}
