/** Every address of the interface. */
export const paths = {
  landing: '/landing',
  login: '/login',
  callback: '/auth/callback',
  terms: '/terms',
  privacy: '/privacy',
  dashboard: '/',
  servers: '/servers',
  server: (id: string) => `/servers/${encodeURIComponent(id)}`,
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
