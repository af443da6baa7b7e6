import { airgapEngine, isAirgapUp } from '../lab/airgap/engine.ts';
import type { Engine } from './engine.ts';
import { NODE_IMAGE, canPull, machineEngine, runningProgram } from './machine-engine.ts';
import { say } from './shell.ts';

const REGISTRY = 'https://registry-1.docker.io/v2/';
const REGISTRY_TIMEOUT_MS = 5000;

/** Returns true if the registry of kind's node image responds; 401 is its response to an anonymous client. */
const registryAnswers = (url = REGISTRY): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(REGISTRY_TIMEOUT_MS) }).then(
    ({ status }) => status === 200 || status === 401,
    () => false,
  );

/** Returns the machine's own engine; where no registry responds, the engine of scripts/lab/airgap. */
export async function chooseEngine(): Promise<Engine> {
  if (isAirgapUp()) return airgapEngine();
  const image = process.env.PLIMSOLL_NODE_IMAGE ?? NODE_IMAGE;
  const program = runningProgram();
  if (program !== null && canPull(program, image)) return machineEngine(program, image);
  if (await registryAnswers()) {
    if (program === null) throw new Error('no container engine runs here. Start Docker or Podman.');
    throw new Error(`${program} cannot pull ${image}. Run \`${program} pull ${image}\` and read its message.`);
  }
  say('no registry responds: the cluster is built from source; scripts/lab/airgap/README.md lists its stand-ins');
  return airgapEngine();
}
