/** `![text](address "title")`, `![text][name]` and `![text]`. The bounds keep the search linear. */
const IMAGE = /!\[([^[\]]{0,1000})\](?:\([^()]{0,4000}\)|\[[^[\]]{0,1000}\])?/g;
/** Inner pairs of a `[![text](image)](link)` or of an address with parentheses are found on a second look. */
const LOOKS = 3;
const TAG = /<\/?(?:img|picture|source|svg|image|video|audio|iframe|object|embed)\b[^<>]{0,4000}>?/gi;

/** Removes exclamation marks from the end of a text. */
function withoutMarks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '!') end -= 1;
  return text.slice(0, end);
}

/**
 * Returns markdown without images: a renderer outside of Plimsoll would fetch them, and the address can carry figures to
 * whoever wrote the text that a model read. The text of an image stays.
 */
export function withoutImages(markdown: string): string {
  let text = markdown.replaceAll(TAG, '');
  for (let look = 0; look < LOOKS && text.includes('!['); look += 1) text = text.replaceAll(IMAGE, '$1');
  // Without its mark, an image that no pattern matches is a link at most.
  const parts = text.split('[');
  return parts.map((part, index) => (index < parts.length - 1 ? withoutMarks(part) : part)).join('[');
}
