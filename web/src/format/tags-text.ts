/** A tag's name as the API takes it. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$/;
const VALUE_CHARACTERS = 256;
const MOST_TAGS = 50;

export type ReadTags = { tags: Record<string, string> } | { problem: string };

const escaped = (value: string) => value.replaceAll(/[\\,]/g, '\\$&');
const unescaped = (value: string) => value.replaceAll(/\\(.)/g, '$1');

/** "ci, team=web": a tag without "=" has an empty value; a comma inside a value is written "\,". */
export const tagsText = (tags: Record<string, string>): string =>
  Object.entries(tags)
    .map(([name, value]) => (value === '' ? name : `${name}=${escaped(value)}`))
    .join(', ');

/** Reads what a person typed, or says which part cannot be used and why. */
export function readTags(text: string): ReadTags {
  const parts = (text.match(/(?:\\.|[^,])+/g) ?? []).map((part) => part.trim()).filter((part) => part !== '');
  const tags: [string, string][] = parts.map((part) => {
    const at = part.indexOf('=');
    return at < 0 ? [part, ''] : [part.slice(0, at).trim(), unescaped(part.slice(at + 1).trim())];
  });
  const wrong = tags.find(([name]) => !NAME.test(name));
  if (wrong !== undefined) {
    return { problem: `Must be tags: "${wrong[0]}" is none. Use letters, digits, ".", "_", "/" and "-", 63 at most.` };
  }
  const long = tags.find(([, value]) => value.length > VALUE_CHARACTERS);
  if (long !== undefined)
    return {
      problem: `Must have values of at most ${VALUE_CHARACTERS} characters: "${long[0]}" is longer. Shorten it.`,
    };
  if (tags.length > MOST_TAGS) return { problem: `Must be at most ${MOST_TAGS} tags. Remove some.` };
  return { tags: Object.fromEntries(tags) };
}
