import { matches } from './index-objects.ts';

/** Reads the rules of a described NetworkPolicy for pods of its own namespace. */

type Labels = Readonly<Record<string, string>>;
interface PolicyReading {
  isSelected: (labels: Labels) => boolean;
  /** Returns false if no rule lets pods with these labels of the same namespace in. Null: it does not limit what comes in. */
  admits: ((labels: Labels) => boolean) | null;
  /** False: no rule lets pods of other namespaces in. */
  admitsOthers: boolean;
  /** Returns false if no rule lets the selected pods out to pods with these labels. Null: it does not limit what goes out. */
  lets: ((labels: Labels) => boolean) | null;
}

export function readPolicy(fields: Readonly<Record<string, string>>): PolicyReading {
  const selector = parse(fields['podSelector']);
  const types = fields['policyTypes'] ?? 'Ingress';
  return {
    isSelected: (labels) => isMatch(selector, labels),
    admits: /\bIngress\b/.test(types) ? (labels) => passes(parse(fields['ingress']), 'from', labels) : null,
    admitsOthers: !/\bIngress\b/.test(types) || passes(parse(fields['ingress']), 'from', null),
    lets: /\bEgress\b/.test(types) ? (labels) => passes(parse(fields['egress']), 'to', labels) : null,
  };
}

/** A text that was cut is no JSON. */
function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `labels` null: any pod of another namespace. Without rules nothing passes; what cannot be read passes, so that nothing is accused for it. */
function passes(rules: unknown, side: 'from' | 'to', labels: Labels | null): boolean {
  if (rules === undefined) return false;
  if (!Array.isArray(rules)) return true;
  return rules.some((rule) => {
    const peers: unknown = isRecord(rule) ? rule[side] : undefined;
    if (!Array.isArray(peers) || peers.length === 0) return true;
    return peers.some((peer) => {
      if (!isRecord(peer)) return true;
      if (labels === null) return peer['namespaceSelector'] !== undefined || peer['ipBlock'] !== undefined;
      if (peer['ipBlock'] !== undefined) return isEverywhere(peer['ipBlock']);
      const namespaces = peer['namespaceSelector'];
      const isHere = namespaces === undefined || (isRecord(namespaces) && Object.keys(namespaces).length === 0);
      return isHere && (peer['podSelector'] === undefined || isMatch(peer['podSelector'], labels));
    });
  });
}
const isEverywhere = (block: unknown): boolean => isRecord(block) && block['cidr'] === '0.0.0.0/0';

function isMatch(selector: unknown, labels: Labels): boolean {
  if (!isRecord(selector)) return selector === undefined;
  const wanted = selector['matchLabels'];
  const texts = isRecord(wanted)
    ? Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, String(value)]))
    : {};
  const expressions = selector['matchExpressions'];
  return (
    matches(labels, texts) &&
    (!Array.isArray(expressions) || expressions.every((expression) => isExpressionMet(expression, labels)))
  );
}
function isExpressionMet(expression: unknown, labels: Labels): boolean {
  if (!isRecord(expression)) return true;
  const { key, operator, values } = expression;
  if (typeof key !== 'string') return true;
  const has = Object.hasOwn(labels, key);
  const isListed = Array.isArray(values) && values.includes(labels[key]);
  switch (operator) {
    case 'In':
      return has && isListed;
    case 'NotIn':
      return !isListed;
    case 'Exists':
      return has;
    case 'DoesNotExist':
      return !has;
    default:
      return true;
  }
}
