export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const LINE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
const LABEL = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const ESCAPES: Record<string, string> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' };

/** One line of the Prometheus text format; null for comments, blank lines and what cannot be read. */
export function parseSample(line: string): Sample | null {
  const [, name, list = '', number] = LINE.exec(line) ?? [];
  const value = Number(number);
  if (name === undefined || !Number.isFinite(value)) return null;
  const labels: Record<string, string> = {};
  for (const [, label = '', text = ''] of list.matchAll(LABEL))
    labels[label] = text.replace(/\\[n"\\]/g, (escape) => ESCAPES[escape] ?? escape);
  return { name, labels, value };
}
