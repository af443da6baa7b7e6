import { CodedError } from '../../errors.ts';
import { runTool, type ToolRun } from '../run-tool.ts';
import { distinct, screens } from '../screen-links.ts';
import { TOOLS } from '../tools/all.ts';
import type { AnswerPart, CheckedAnswer, ToolContext } from '../types.ts';
import { ANSWERS } from './answers.ts';
import { intentOf, WORKING_QUESTIONS, type Intent } from './intent.ts';
import { nearestQuestion } from './nearest-question.ts';
import { escaped, REPORTS } from './reports.ts';
import { understand, type Understood } from './understand.ts';

export interface Written {
  text: string;
  sources: CheckedAnswer['sources'];
  charts: CheckedAnswer['charts'];
}

interface Question {
  question: string;
  context: ToolContext;
  onPart: (part: AnswerPart) => void;
}

interface Step {
  name: string;
  input: Record<string, unknown>;
}

/** The questions of the empty page, and those about the whole fleet, have reports of several tools. */
function reportOf(question: string, understood: Understood | null): Intent | null {
  if (WORKING_QUESTIONS.some((offered) => offered.toLowerCase() === question.trim().toLowerCase()))
    return intentOf(question);
  if (understood === null) return intentOf(question);
  const { subject } = understood;
  return subject === 'statistics' || subject === 'headroom' ? subject : null;
}

async function runStep({ name, input }: Step, { context, onPart }: Question): Promise<ToolRun> {
  const tool = TOOLS.find((entry) => entry.name === name);
  if (tool === undefined) throw new TypeError(`There is no tool ${name}`);
  onPart({ kind: 'tool', name, state: 'started' });
  const run = await runTool(tool, input, context);
  onPart({ kind: 'tool', name, state: run.failed ? 'failed' : 'done' });
  return run;
}

const requireDone = (run: ToolRun): ToolRun => {
  if (run.failed) throw new CodedError('internal', `The tool ${run.name} failed: ${JSON.stringify(run.content)}`);
  return run;
};

/** Answers a question from the figures. One that it does not understand gets the nearest that works. */
export async function answerQuestion(asked: Question): Promise<Written> {
  const { question } = asked;
  const understood = understand(question);
  const report = reportOf(question, understood);
  if (report !== null) return byReport(report, understood?.input['minutes'], asked);
  return understood === null ? refusal(question) : byTool(understood, asked);
}

function refusal(question: string): Written {
  const nearest = nearestQuestion(question);
  const known = WORKING_QUESTIONS.map((line) => `- ${line}`).join('\n');
  const offer = nearest === null ? '' : `\n\nThe nearest question that works: **${nearest}**`;
  return {
    text: `This question needs a model.${offer}\n\nThese work without one:\n\n${known}`,
    sources: [],
    charts: [],
  };
}

async function byReport(intent: Intent, minutes: unknown, asked: Question): Promise<Written> {
  const { tools, write } = REPORTS[intent];
  const runs: ToolRun[] = [];
  for (const { name, input } of tools) {
    const ranged = name === 'figures_over_time' && minutes !== undefined ? { ...input, minutes } : input;
    runs.push(requireDone(await runStep({ name, input: ranged }, asked)));
  }
  return {
    text: write(
      runs.map(({ content }) => content),
      asked.context.now,
    ),
    sources: distinct(runs.flatMap(({ sources }) => sources)),
    charts: runs.flatMap(({ charts }) => charts),
  };
}

async function byTool(understood: Understood, asked: Question): Promise<Written> {
  const { tool, input, subject } = understood;
  const write = ANSWERS[subject];
  if (write === undefined) throw new TypeError(`There is no answer about ${subject}`);
  const run = await runStep({ name: tool, input }, asked);
  const { server } = input;
  if (run.failed && typeof server === 'string' && String(run.content['error']).startsWith('There is no server'))
    return {
      text: `**There is no server “${escaped(server)}”.** A question that works: **${nearestQuestion(asked.question) ?? WORKING_QUESTIONS[0]}**`,
      sources: [screens.servers()],
      charts: [],
    };
  const { content, sources, charts } = requireDone(run);
  return { text: write(content, understood, asked.context.now), sources, charts };
}
