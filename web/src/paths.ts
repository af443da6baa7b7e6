/** Shown around a moment, in seconds. */
const AROUND_SECONDS = 1800;
const server = (id: string) => `/servers/${encodeURIComponent(id)}`;

/** Every address of the interface. */
export const paths = {
  landing: '/landing',
  login: '/login',
  callback: '/auth/callback',
  terms: '/terms',
  privacy: '/privacy',
  dashboard: '/',
  servers: '/servers',
  server,
  /** A server at a moment (epoch seconds): what ran then beside its charts around it. */
  serverAt(id: string, at: number) {
    // Up to the next second: what was kept at that very moment is not after it.
    const second = Math.ceil(at);
    return `${server(id)}?from=${second - AROUND_SECONDS}&to=${second + AROUND_SECONDS}&at=${second}`;
  },
  kubernetes: '/kubernetes',
  kubernetesNodes: '/kubernetes/nodes',
  kubernetesNode: (serverId: string, nodeName?: string) =>
    `/kubernetes/nodes/${encodeURIComponent(serverId)}${nodeName === undefined ? '' : `/${encodeURIComponent(nodeName)}`}`,
  kubernetesPods: '/kubernetes/pods',
  alerts: '/alerts',
  activity: '/activity',
  network: '/network',
  processes: '/processes',
  setup: '/setup',
  profile: '/profile',
  aiChat: '/ai-chat',
} as const;
