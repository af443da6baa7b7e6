interface Named {
  kind: string;
  namespace: string;
  name: string;
}

/** A POSIX shell takes everything between single quotes as it is. Names of Kubernetes objects need none. */
const quoted = (word: string): string =>
  /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Returns the command that prints an object: "kubectl get pod NAME -n NAMESPACE -o yaml". */
export const kubectlGet = ({ kind, namespace, name }: Named): string =>
  `kubectl get ${quoted(kind.toLowerCase())} ${quoted(name)} -n ${quoted(namespace)} -o yaml`;
