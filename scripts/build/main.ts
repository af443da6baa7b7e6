import { packageChart } from '../lib/chart-package.ts';
import { buildWeb } from '../lib/web-build.ts';

if (process.argv.includes('--help')) {
  console.log(
    'Usage: npm run build\nBuilds the dashboard into web/dist and packages the chart into dist/charts. API and collector run from source.\nExit 0 done, 1 failed.',
  );
} else {
  const log = (line: string) => void process.stderr.write(`plimsoll: ${line}\n`);
  if (!buildWeb(log)) log('the dashboard is up to date');
  await packageChart();
}
