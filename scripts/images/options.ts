import { IMAGE_REGISTRY } from '@plimsoll/contract/rules/image-registry';
import { parseArgs } from 'node:util';
import { type ProductImage, IMAGES, imagesNamed } from './images.ts';

export interface Options {
  help: boolean;
  /** Without the slash at its end. */
  registry: string;
  tag: string;
  push: boolean;
  platforms: string[];
  loadIntoKind: boolean;
  images: readonly ProductImage[];
  /** Values of the Dockerfiles' ARG lines. */
  arguments: Record<string, string>;
  /** Use the install kits in dist/agent instead of building them. */
  givenKits: boolean;
  /** Folder for one SPDX document per image; null: none. */
  sbom: string | null;
}

const TAG = /^[A-Za-z0-9_][-A-Za-z0-9_.]{0,127}$/;
const PLATFORMS = ['linux/amd64', 'linux/arm64'];

function parse(words: string[]) {
  return parseArgs({
    args: words,
    options: {
      registry: { type: 'string', default: '' },
      tag: { type: 'string' },
      push: { type: 'boolean', default: false },
      platform: { type: 'string', default: '' },
      'load-into': { type: 'string' },
      image: { type: 'string', multiple: true },
      base: { type: 'string' },
      'build-base': { type: 'string' },
      sbom: { type: 'string' },
      'given-kits': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }).values;
}

/** Reads the command line. Throws naming the option at fault and the remedy. */
export function readOptions(words: string[], version: string): Options {
  const given = parse(words);
  const registry = given.registry.replace(/\/+$/, '');
  const tag = given.tag ?? version;
  const platforms = given.platform.split(',').filter((platform) => platform !== '');
  const loadIntoKind = given['load-into'] !== undefined;
  const options = {
    help: given.help,
    registry,
    tag,
    push: given.push,
    platforms,
    loadIntoKind,
    images: given.image ? imagesNamed(given.image) : IMAGES,
    arguments: {
      ...(given.base === undefined ? {} : { BASE: given.base }),
      ...(given['build-base'] === undefined ? {} : { BUILD_BASE: given['build-base'] }),
    },
    givenKits: given['given-kits'],
    sbom: given.sbom ?? null,
  };
  if (given.help) return options;
  if (!IMAGE_REGISTRY.test(registry))
    throw new Error(
      `--registry ${registry === '' ? 'is missing' : `${registry} is no registry`}. Write it in lower case and without https://, like registry.example.com/team.`,
    );
  if (!TAG.test(tag)) throw new Error(`--tag ${tag}: must be letters, digits, ".", "_" and "-". Write it like 1.2.3.`);
  for (const platform of platforms)
    if (!PLATFORMS.includes(platform))
      throw new Error(`--platform ${platform}: unknown. Use ${PLATFORMS.join(' or ')}, or both with a comma.`);
  if (loadIntoKind && given['load-into'] !== 'kind')
    throw new Error(`--load-into ${String(given['load-into'])}: unknown. Use --load-into kind.`);
  if (loadIntoKind && platforms.length > 1)
    throw new Error('--load-into kind takes one platform, the one of its nodes. Leave out --platform.');
  if (!given.push && platforms.length > 1)
    throw new Error('--platform with several platforms needs --push: a machine keeps an image of one platform only.');
  return options;
}
