import { deployMark } from '@plimsoll/contract/wire/changes';
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { deploySteps, type Pipeline } from './deploy-step-texts.ts';

const VARIABLES = {
  GITHUB_REPOSITORY: 'harbour/checkout',
  GITHUB_SHA: 'abcdef0123456789',
  GITHUB_RUN_ID: '4711',
  GITHUB_ACTOR: 'mira',
  GITHUB_SERVER_URL: 'https://github.com',
  CI_PROJECT_PATH: 'harbour/checkout',
  CI_COMMIT_SHORT_SHA: 'abcdef01',
  CI_PIPELINE_ID: '4712',
  GITLAB_USER_LOGIN: 'mira',
  CI_PIPELINE_URL: 'https://gitlab.com/harbour/checkout/-/pipelines/4712',
};
/** Runs the curl line of a step in a shell whose curl prints its arguments, one a line. */
function argumentsOf(pipeline: Pipeline): string[] {
  const step = deploySteps('https://plimsoll.example')[pipeline];
  const script = `curl() { printf '%s\\n' "$@"; }\n${step.slice(step.indexOf('curl --fail'))}`;
  const environment = { ...VARIABLES, PLIMSOLL_TOKEN: 't', PATH: process.env['PATH'] ?? '' };
  return execFileSync('bash', ['--norc', '-c', script], { env: environment, encoding: 'utf8' }).trim().split('\n');
}

describe('the steps of a pipeline', () => {
  it.each<[Pipeline, object]>([
    [
      'github',
      {
        title: 'harbour/checkout abcdef0',
        key: '4711',
        by: 'mira',
        link: 'https://github.com/harbour/checkout/actions/runs/4711',
      },
    ],
    ['gitlab', { title: 'harbour/checkout abcdef01', key: '4712', by: 'mira', link: VARIABLES.CI_PIPELINE_URL }],
    [
      'shell',
      { title: 'checkout 1.9.2', key: 'checkout-1.9.2', namespace: 'shop', kind: 'Deployment', name: 'checkout' },
    ],
  ])('%s sends a mark that the API accepts', (pipeline, mark) => {
    const words = argumentsOf(pipeline);
    expect(words).toContain('https://plimsoll.example/api/changes');
    expect(words).toContain('Authorization: Bearer t');
    const body: unknown = JSON.parse(words[words.indexOf('--data') + 1] ?? '');
    expect(body).toEqual(mark);
    expect(deployMark.safeParse(body).error).toBeUndefined();
  });
});
