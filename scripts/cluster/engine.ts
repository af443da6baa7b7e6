import type { Build, LocalBuild } from '../images/commands.ts';

/** Names under which the nodes hold or pull the images of add-ons and of the tests' own pods. */
interface EngineImages {
  metricsServer: string;
  kubeStateMetrics: string;
  prometheus: string;
  busybox: string;
}

/** A container engine that kind runs on: the machine's own, or one that scripts/lab/airgap starts. */
export interface Engine {
  /** The command that controls the engine's containers. */
  program: 'docker' | 'podman';
  nodeImage: string;
  kindConfig: string;
  /** Variables under which commands reach the engine. Its PATH finds kind, kubectl and helm. */
  env: Record<string, string>;
  images: EngineImages;
  /** Returns the command as it reaches the cluster's addresses. */
  inside(command: string, args: string[]): [string, string[]];
  /** Brings kind, kubectl and helm, and whatever else `start` needs. */
  bringTools(): Promise<void>;
  /** After this, `kind create cluster` works. */
  start(): Promise<void>;
  /** Returns the paths of image archives that the nodes cannot pull. */
  addOnArchives(): string[];
  /** Builds an image and saves it to `archive`. */
  buildImage(build: LocalBuild, archive: string): Promise<void>;
  /** Platforms that `pushImage` builds at once; empty: this machine's alone. */
  platforms: readonly string[];
  /** Builds an image and pushes it to a registry of this machine, without TLS. */
  pushImage(build: Build): Promise<void>;
  /** Ends what `start` began and deletes the run's folder. */
  stop(): Promise<void>;
}
