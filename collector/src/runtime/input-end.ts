/**
 * Returns a signal that aborts when standard input ends. Only for a program that is started with a pipe: the stream takes
 * memory, and a plain read of the descriptor would hold up the exit.
 */
export function inputEnd(input: NodeJS.ReadStream = process.stdin): AbortSignal {
  const ended = new AbortController();
  const end = (): void => ended.abort('input ended');
  input.once('end', end).once('close', end).once('error', end);
  input.resume();
  // It must not keep alive a program that has nothing else to do; a file has no such method.
  (input as Partial<NodeJS.ReadStream>).unref?.();
  return ended.signal;
}
