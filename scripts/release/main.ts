import { parseArgs } from 'node:util';

const USAGE = `Usage: npm run release -- COMMAND [OPTIONS]
The steps of .github/workflows/release.yml. docs/release.md says how they fit together.

  version --tag vX.Y.Z         refuse a tag that differs from the versions in the sources; print the version
  key --out FILE               make a signing key: FILE (private, PEM) and FILE.pub (public, base64)
  stamp --key PUBLIC           write the public key into scripts/install.sh, before anything is built
  chart --registry R --out DIR package the chart with the registry in lower case as its image.registry
  sbom --out DIR               write one SPDX document per image
  notes --version X.Y.Z        print the section of CHANGELOG.md
  sums DIR                     write DIR/SHA256SUMS over its files
  sign DIR                     sign every checksum in DIR with the key in PLIMSOLL_SIGNING_KEY, as FILE.sig
  verify DIR --key PUBLIC      check every checksum and every signature in DIR
  push-chart FILE --registry R push a packaged chart to oci://R; --plain-http for a registry without TLS
  local [--platform LIST] [--image NAME] [--listen ADDRESS] [--registry R]
                               start a registry on this machine, push images and chart there and serve them until
                               Ctrl-C; with Docker or Podman, or as npm run test:cluster builds where no registry responds
  lint                         check .github/workflows and compose.yaml, with checkers compiled by Go

Exit 0 done, 1 failed, 2 wrong options.`;

const OPTIONS = {
  tag: { type: 'string' },
  key: { type: 'string' },
  registry: { type: 'string' },
  out: { type: 'string' },
  version: { type: 'string' },
  platform: { type: 'string' },
  image: { type: 'string', multiple: true },
  listen: { type: 'string' },
  'plain-http': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

function readArguments() {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  return { ...values, command: positionals[0] ?? '', operand: positionals[1] };
}

type Given = ReturnType<typeof readArguments>;

/** An option that is missing or has a wrong value. */
class WrongUse extends Error {}

function needed(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new WrongUse(`${name} is missing`);
  return value;
}

/**
 * The commands. Each loads only its own modules: the job that signs installs no npm packages, so no package runs beside
 * the key.
 */
const COMMANDS: Record<string, (given: Given) => Promise<string>> = {
  version: async ({ tag }) => (await import('./version.ts')).releasedVersion(needed(tag, '--tag')),
  key: async ({ out }) => (await import('./signature.ts')).writeKeyPair(needed(out, '--out')),
  stamp: async ({ key }) => (await import('./stamp-key.ts')).stampKey(needed(key, '--key')),
  chart: async ({ registry, out }) =>
    (await import('./chart.ts')).packageForRegistry(needed(registry, '--registry'), needed(out, '--out')),
  sbom: async ({ out }) => {
    const [{ writeSbom }, { IMAGES }] = await Promise.all([import('../images/sbom.ts'), import('../images/images.ts')]);
    return IMAGES.map((image) => writeSbom(needed(out, '--out'), image)).join('\n');
  },
  notes: async ({ version }) => (await import('./notes.ts')).releaseNotes(needed(version, '--version')),
  sums: async ({ operand }) => (await import('./sums.ts')).writeSums(needed(operand, 'DIR')),
  sign: async ({ operand }) =>
    (await import('./sums.ts')).signSums(
      needed(operand, 'DIR'),
      needed(process.env['PLIMSOLL_SIGNING_KEY'], 'PLIMSOLL_SIGNING_KEY'),
    ),
  verify: async ({ operand, key }) =>
    (await import('./sums.ts')).verifyFolder(needed(operand, 'DIR'), needed(key, '--key')),
  'push-chart': async ({ operand, registry, 'plain-http': plainHttp }) =>
    (await import('./chart.ts')).pushChart(needed(operand, 'FILE'), needed(registry, '--registry'), plainHttp),
  local: async ({ platform = '', image, listen = '127.0.0.1:5055', registry }) =>
    (await import('./local.ts')).serveLocally({
      listen,
      registry: registry ?? `${listen}/plimsoll`,
      platforms: platform.split(',').filter((name) => name !== ''),
      ...(image === undefined ? {} : { images: image }),
    }),
  lint: async () => (await import('./lint.ts')).lintWorkflows(),
};

async function main(): Promise<number> {
  try {
    const given = readArguments();
    const command = COMMANDS[given.command];
    if (given.help) console.log(USAGE);
    else if (!command) throw new WrongUse(given.command === '' ? 'no command' : `unknown command ${given.command}`);
    else console.log(await command(given));
    return 0;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const isWrongUse = error instanceof WrongUse || code?.startsWith('ERR_PARSE_ARGS') === true;
    console.error(`plimsoll: ${message}${isWrongUse ? `\n\n${USAGE}` : ''}`);
    return isWrongUse ? 2 : 1;
  }
}

process.exitCode = await main();
