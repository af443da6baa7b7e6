import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface DelayingProxy {
  url: string;
  port: number;
  /** Time that each piece of data waits, both ways. */
  delayMs: number;
  close(): void;
}

/** Forwards TCP to a port of the loopback address; each piece of data arrives later, in order. */
export async function delayingProxy(port: number): Promise<DelayingProxy> {
  const sockets = new Set<Socket>();
  const forward = (from: Socket, to: Socket): void => {
    const later = (work: () => void): void => void setTimeout(() => !to.destroyed && work(), proxy.delayMs);
    from.on('data', (part) => later(() => to.write(part)));
    from.on('end', () => later(() => to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => sockets.delete(from));
    sockets.add(from);
  };
  const server = createServer((incoming) => {
    const onward = connect(port, '127.0.0.1');
    forward(incoming, onward);
    forward(onward, incoming);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const own = (server.address() as AddressInfo).port;
  const proxy: DelayingProxy = {
    url: `http://127.0.0.1:${String(own)}`,
    port: own,
    delayMs: 0,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return proxy;
}
