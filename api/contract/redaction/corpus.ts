/** One command line of the corpus. */
export interface CorpusLine {
  tool: string;
  /** Page of the tool's documentation the convention is taken from. */
  source: string;
  argv: string[];
  /** The same, with the secrets hidden. */
  words: string[];
  secrets: string[];
}

const MARKED = /«([^»]*)»/g;

/** "|" parts arguments; with a blank beside it, it is the pipe of a script. */
export const BETWEEN = /(?<! )\|(?! )/;

/** Parses the text of a part of the corpus. */
export function parseCorpus(text: string): CorpusLine[] {
  const lines: CorpusLine[] = [];
  let [tool, source] = ['', ''];
  for (const line of text.trim().split('\n')) {
    const heading = /^(\S+) (https?:\/\/\S+)$/.exec(line);
    if (heading && !line.includes('«')) {
      [tool = '', source = ''] = heading.slice(1);
      continue;
    }
    const secrets = [...line.matchAll(MARKED)].map(([, secret = '']) => secret);
    const argv = line.replace(MARKED, '$1').split(BETWEEN);
    // Harmless words: every run of letters and digits outside the marks.
    const words = line
      .replace(MARKED, '\u0000')
      .split(/[^\w]+/)
      .filter((word) => word !== '');
    lines.push({ tool, source, argv, words, secrets });
  }
  return lines;
}
