import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync } from 'oxc-parser';

/** A node of the parser's tree; its fields are read by name. */
interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

const ROUTES = ['api/src/*/routes.ts', 'api/src/*/routes/**/*.ts'];
const PORTS = 'api/src/*/store.ts';
const isTest = /\.test\.ts$/;

/**
 * First words of the methods that read: `find` stands for `findByToken` too. Any other method of a port writes, so that a
 * new one is refused until it is a verb's or gets a word here. `find` of a token also notes when it was last used.
 */
const READING = new Set(
  (
    'active agents backlog channels clock cluster clusters compare complete connections count counts coverage ' +
    'database deletion due events find fleets founder get has holds host hours images ingest installations ' +
    'invitations kubelets list lists load look managed member network newest next node nodes of oldest outages owners ' +
    'parts peek ping pod pods processes ranked read received recent replicas rows samples scope series servers since ' +
    'sources sparks state tenants terminations times volumes with'
  ).split(' '),
);
const isReading = (method: string): boolean => READING.has(/^[a-z]+/.exec(method)?.[0] ?? '');

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

function* childrenOf(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const each of value) if (isNode(each)) yield each;
    } else if (isNode(value)) yield value;
  }
}

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesOf(child);
}

function parse(file: string, text: string): Node {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message ?? 'does not parse'}`);
  return program as unknown as Node;
}

const nameOf = (node: unknown): string | null =>
  !isNode(node)
    ? null
    : node.type === 'Identifier'
      ? (node['name'] as string)
      : node.type === 'Literal' && typeof node['value'] === 'string'
        ? node['value']
        : null;

interface Ports {
  /** Names of the interfaces. */
  types: ReadonlySet<string>;
  /** Methods that write. */
  writing: ReadonlySet<string>;
}

/** Reads the ports: the interfaces of every `store.ts` with their methods. */
function readPorts(files: Readonly<Record<string, string>>): Ports {
  const types = new Set<string>();
  const writing = new Set(['inTransaction']);
  for (const [file, text] of Object.entries(files))
    for (const node of nodesOf(parse(file, text))) {
      if (node.type === 'TSInterfaceDeclaration') types.add(nameOf(node['id']) ?? '');
      const name = isMethod(node) ? nameOf(node['key']) : null;
      if (name !== null && !isReading(name)) writing.add(name);
    }
  return { types, writing };
}

/** A method, or a property that holds a function. */
function isMethod(node: Node): boolean {
  if (node.type === 'TSMethodSignature') return true;
  if (node.type !== 'TSPropertySignature' || !isNode(node['typeAnnotation'])) return false;
  return (node['typeAnnotation']['typeAnnotation'] as Node).type === 'TSFunctionType';
}

/** Expressions that reach a store: `storage` by any path, and each name that was bound to a part of it. */
class Reach {
  readonly #names = new Set(['storage']);
  readonly #types: ReadonlySet<string>;

  constructor(types: ReadonlySet<string>) {
    this.#types = types;
  }

  /** Returns true if an expression is a store, or a part of one. */
  includes(node: unknown): boolean {
    if (!isNode(node)) return false;
    if (node.type === 'Identifier') return this.#names.has(node['name'] as string);
    if (node.type === 'MemberExpression')
      return nameOf(node['property']) === 'storage' || this.includes(node['object']);
    const inner = node['expression'] ?? node['argument'];
    return /^(?:Chain|Parenthesized|TSNonNull|TSAs|TSSatisfies)Expression$/.test(node.type) && this.includes(inner);
  }

  /** Binds the names of a pattern whose value is a part of a store. Returns true if there is a new one. */
  bind(pattern: unknown): boolean {
    if (!isNode(pattern)) return false;
    if (pattern.type === 'Identifier') return this.#add(pattern['name'] as string);
    if (pattern.type === 'AssignmentPattern') return this.bind(pattern['left']);
    if (pattern.type === 'RestElement') return this.bind(pattern['argument']);
    if (pattern.type !== 'ObjectPattern') return false;
    return (pattern['properties'] as Node[]).map((each) => this.bind(each['value'] ?? each)).includes(true);
  }

  /** Binds what a pattern takes out of any object under the name `storage`, and what has the type of a port. */
  bindWithin(pattern: unknown): boolean {
    if (!isNode(pattern)) return false;
    if (pattern.type === 'AssignmentPattern') return this.bindWithin(pattern['left']);
    if (pattern.type === 'Identifier') return this.#isPort(pattern['typeAnnotation']) && this.bind(pattern);
    if (pattern.type !== 'ObjectPattern') return false;
    return (pattern['properties'] as Node[])
      .map((each) =>
        nameOf(each['key']) === 'storage' ? this.bind(each['value']) : this.bindWithin(each['value'] ?? each),
      )
      .includes(true);
  }

  #isPort(annotation: unknown): boolean {
    if (!isNode(annotation)) return false;
    for (const node of nodesOf(annotation))
      if (node.type === 'TSTypeReference' && this.#types.has(nameOf(node['typeName']) ?? '')) return true;
    return false;
  }

  #add(name: string): boolean {
    if (this.#names.has(name)) return false;
    this.#names.add(name);
    return true;
  }
}

function reachOf(nodes: readonly Node[], types: ReadonlySet<string>): Reach {
  const reach = new Reach(types);
  const bindOnce = (node: Node): boolean => {
    if (node.type === 'VariableDeclarator')
      return reach.includes(node['init']) ? reach.bind(node['id']) : reach.bindWithin(node['id']);
    if (!Array.isArray(node['params'])) return false;
    return node['params'].map((each) => reach.bindWithin(each)).includes(true);
  };
  // A name may be bound to one that stands further below.
  while (nodes.map(bindOnce).includes(true));
  return reach;
}

/** Returns the writing methods that a file takes from a store: called, passed on, or destructured. */
function writesIn(file: string, text: string, { types, writing }: Ports): { line: number; method: string }[] {
  const nodes = [...nodesOf(parse(file, text))];
  const reach = reachOf(nodes, types);
  return nodes.flatMap((node) => {
    const taken =
      node.type === 'MemberExpression' && reach.includes(node['object'])
        ? [node['property']]
        : node.type === 'VariableDeclarator' && reach.includes(node['init'])
          ? keysOf(node['id'])
          : [];
    return taken
      .map(nameOf)
      .filter((name) => name !== null && writing.has(name))
      .map((method) => ({ line: text.slice(0, node.start).split('\n').length, method: method ?? '' }));
  });
}

function keysOf(pattern: unknown): unknown[] {
  if (!isNode(pattern) || pattern.type !== 'ObjectPattern') return [];
  return (pattern['properties'] as Node[]).flatMap((each) => [each['key'], ...keysOf(each['value'])]);
}

const read = (root: string, pattern: string | string[]): Record<string, string> =>
  Object.fromEntries(
    globSync(pattern, { cwd: root })
      .map((file) => file.split(sep).join('/'))
      .filter((file) => !isTest.test(file))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );

/** Returns the routes below `root` that write. A route calls one verb, which writes in one transaction. */
export function findRouteWrites(root: string): string[] {
  const ports = readPorts(read(root, PORTS));
  return Object.entries(read(root, ROUTES)).flatMap(([file, text]) =>
    writesIn(file, text, ports).map(
      ({ line, method }) => `${file}:${String(line)} takes ${method} from a store: let a verb write`,
    ),
  );
}
