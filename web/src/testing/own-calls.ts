/** Calls as the page itself counts them: the browser's network log reaches a test later. */
export interface OwnCalls {
  made: number;
  open: number;
  /** For how many frames nothing has loaded, as a certain wait for it counts. */
  quiet: { wait: number; frames: number };
}

/**
 * Runs in the page before its own scripts and counts its calls as `ownCalls`. One is open until its whole answer was
 * handed over and the turns after that have run.
 */
export function countOwnCalls(): void {
  const own: OwnCalls = { made: 0, open: 0, quiet: { wait: 0, frames: 0 } };
  const send = globalThis.fetch.bind(globalThis);
  const turn = () =>
    new Promise((next) => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', next, { once: true });
      port1.start();
      port2.postMessage(null);
    });
  globalThis.fetch = async (input, init) => {
    own.made++;
    own.open++;
    try {
      const answer = await send(input, init);
      const body = await answer.arrayBuffer();
      return new Response(answer.status === 204 || answer.status === 304 ? null : body, answer);
    } finally {
      void (async () => {
        for (let left = 20; left > 0; left--) await turn();
        own.open--;
      })();
    }
  };
  Object.assign(globalThis, { ownCalls: own });
}
