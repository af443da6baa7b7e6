export type Pipeline = 'github' | 'gitlab' | 'shell';

/** The parts of a call that every pipeline has. `retry`: the key makes a second send harmless. */
const call = (origin: string, indent: string, body: string): string =>
  [
    `curl --fail --silent --show-error --retry 5 --max-time 10 '${origin}/api/changes' \\`,
    `  --header "Authorization: Bearer $PLIMSOLL_TOKEN" --header 'Content-Type: application/json' \\`,
    `  --data "${body}"`,
  ]
    .map((line) => `${indent}${line}`)
    .join('\n');

const json = (fields: Record<string, string>): string =>
  `{${Object.entries(fields)
    .map(([name, value]) => String.raw`\"${name}\":\"${value}\"`)
    .join(',')}}`;

/** Steps for the usual pipelines. Values stand in variables of the pipeline, which none of them a person types. */
export const deploySteps = (origin: string): Record<Pipeline, string> => ({
  github: `- name: Mark the deployment in Plimsoll
  if: success()
  env:
    PLIMSOLL_TOKEN: \${{ secrets.PLIMSOLL_TOKEN }}
  run: |
${call(
  origin,
  '    ',
  json({
    title: '$GITHUB_REPOSITORY ${GITHUB_SHA::7}',
    key: '$GITHUB_RUN_ID',
    by: '$GITHUB_ACTOR',
    link: '$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID',
  }),
)}
`,
  gitlab: `mark-deployment:
  stage: .post
  image: curlimages/curl
  script:
    - |
${call(
  origin,
  '      ',
  json({
    title: '$CI_PROJECT_PATH $CI_COMMIT_SHORT_SHA',
    key: '$CI_PIPELINE_ID',
    by: '$GITLAB_USER_LOGIN',
    link: '$CI_PIPELINE_URL',
  }),
)}
`,
  shell: `${call(
    origin,
    '',
    json({ title: 'checkout 1.9.2', key: 'checkout-1.9.2', namespace: 'shop', kind: 'Deployment', name: 'checkout' }),
  )}
`,
});
