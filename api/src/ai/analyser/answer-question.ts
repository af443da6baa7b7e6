import { CodedError } from '../../errors.ts';
import { runTool, type ToolRun } from '../run-tool.ts';
import { distinct, screens } from '../screen-links.ts';
import { TOOLS } from '../tools/all.ts';
import type { AnswerPart, CheckedAnswer, ToolContext } from '../types.ts';
import { ANSWERS } from './answers/all.ts';
import { comparison } from './answers/series.ts';
import { periodWords } from './answers/write.ts';
import type { Understood } from './asked.ts';
import { inCluster } from './named-place.ts';
import { intentOf, WORKING_QUESTIONS, type Intent } from './intent.ts';
import { nearestQuestion } from './nearest-question.ts';
import { readQuestion, type Parts } from './question-parts.ts';
import { escaped, REPORTS, rowsOf } from './reports.ts';
import { nameIn, questionInThread, questionsIn, type Message } from './thread.ts';
import { readingOfParts } from './understand.ts';
import { wordsOf } from './words.ts';

export interface Written {
  text: string;
  sources: CheckedAnswer['sources'];
  charts: CheckedAnswer['charts'];
}

interface Question {
  question: string;
  thread: readonly Message[];
  context: ToolContext;
  onPart: (part: AnswerPart) => void;
}

interface Step {
  name: string;
  input: Record<string, unknown>;
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
  const { question, context } = asked;
  const written = question.trim().toLowerCase();
  const report = WORKING_QUESTIONS.some((offered) => offered.toLowerCase() === written) ? intentOf(question) : null;
  if (report !== null && report !== 'statistics') return byReport(report, asked);
  const parts = questionInThread(question, asked.thread, context.now);
  const { understood, unread } = readingOfParts(parts);
  if (COMMAND.test(written)) return refusal(question, unread, context.now);
  if (understood !== null) return byUnderstood(understood, asked);
  const questions = questionsIn(question, context.now);
  const several = questions.flatMap((one) => readingOfParts(one).understood ?? []);
  if (several.length > 1 && several.length === questions.length) return bySeveral(several, asked);
  return (await aboutCheck(parts, asked)) ?? refusal(question, unread, context.now);
}

/** Answers each question of a sentence by itself. */
async function bySeveral(several: readonly Understood[], asked: Question): Promise<Written> {
  const written: Written[] = [];
  for (const one of several) written.push(await byUnderstood(one, asked));
  return {
    text: written.map(({ text }) => text).join('\n\n'),
    sources: distinct(written.flatMap(({ sources }) => sources)),
    charts: written.flatMap(({ charts }) => charts),
  };
}

/** The names of checks are written by hand, so only the stored ones say which words are a name. */
async function aboutCheck(parts: Parts, asked: Question): Promise<Written | null> {
  const run = await runStep({ name: 'list_checks', input: {} }, { ...asked, onPart: () => undefined });
  if (run.failed) return null;
  const name = nameIn(
    parts.words,
    rowsOf(run.content, 'checks').map((row) => String(row['name'])),
  );
  if (name === null) return null;
  const rest = readQuestion(
    ` ${parts.words.join(' ')} `.replace(` ${wordsOf(name).join(' ')} `, ' '),
    asked.context.now,
  );
  const { understood } = readingOfParts({ ...rest, names: [name], terms: new Set([...rest.terms, 'check']) });
  return understood?.subject === 'checks' ? byUnderstood(understood, asked) : null;
}

async function byUnderstood(understood: Understood, asked: Question): Promise<Written> {
  if (understood.subject === 'headroom') return byReport('headroom', asked);
  if (understood.subject === 'statistics') return statisticsOf(understood, asked);
  if (understood.subject === 'comparison') return compared(understood, asked);
  const placed = await inCluster(understood, asked.context.read);
  return placed === null ? refusal(asked.question, understood.names, asked.context.now) : byTool(placed, asked);
}

/** The assistant reads: who asks it to act gets the reason, not a figure. */
const COMMAND =
  /^(?:please |can you |could you |would you )*(?:restart|reboot|delete|remove|silence|mute|kill|stop|start|shut|scale|drain|cordon|install|uninstall|upgrade|acknowledge|create|drop)\b(?! (?:count|rate|time|required|needed|pending|necessary))/;

function refusal(question: string, unread: readonly string[], now: number): Written {
  const known = WORKING_QUESTIONS.map((line) => `- ${line}`).join('\n');
  const words = unread.slice(0, MOST_UNREAD).map((word) => `“${escaped(word, UNREAD_CHARACTERS)}”`);
  const reason = COMMAND.test(question.trim().toLowerCase())
    ? 'The assistant only reads, and changes nothing.'
    : words.length === 0
      ? 'This question needs a model.'
      : `This question needs a model: without one, no answer takes account of ${words.join(', ')}.`;
  return {
    text: `${reason}\n\nThe nearest question that works: **${escaped(nearestQuestion(question, now))}**\n\nThese work without one:\n\n${known}`,
    sources: [],
    charts: [],
  };
}
const MOST_UNREAD = 5;
const UNREAD_CHARACTERS = 40;

async function runAll(steps: readonly Step[], asked: Question): Promise<ToolRun[]> {
  const runs: ToolRun[] = [];
  for (const step of steps) runs.push(await runStep(step, asked));
  return runs;
}
const joined = (text: string, runs: readonly ToolRun[]): Written => ({
  text,
  sources: distinct(runs.flatMap(({ sources }) => sources)),
  charts: runs.flatMap(({ charts }) => charts),
});

async function byReport(intent: Intent, asked: Question): Promise<Written> {
  const { tools, write } = REPORTS[intent];
  const runs = (await runAll(tools, asked)).map(requireDone);
  const contents = runs.map(({ content }) => content);
  return joined(write(contents, asked.context.now), runs);
}

const FIGURES = ['cpu', 'memory', 'disk'] as const;
/** Figures of a question that are stored over time, else the three of every server. */
const figuresOf = ({ figures }: Understood): readonly string[] => (figures.length === 0 ? FIGURES : figures);

async function statisticsOf(understood: Understood, asked: Question): Promise<Written> {
  const { input, period } = understood;
  const { now, rangeMinutes } = asked.context;
  const steps = figuresOf(understood).map((figure) => ({
    name: 'figures_over_time',
    input: { ...input, figure, chart: true },
  }));
  const fleet = input['server'] === undefined ? [{ name: 'list_servers', input: {} }] : [];
  const runs = await runAll([...steps, ...fleet], asked);
  const failed = runs.find((run) => run.failed);
  if (failed !== undefined) return problem(failed, asked);
  const of = typeof input['server'] === 'string' ? ` of ${escaped(input['server'])}` : '';
  const range = period ?? { minutes: rangeMinutes, from: now - rangeMinutes * 60, to: now, read: new Set<number>() };
  const contents = runs.map(({ content }) => content);
  return joined(`Statistics${of} ${periodWords(range, now)}.\n\n${REPORTS.statistics.write(contents, now)}`, runs);
}

async function compared(understood: Understood, asked: Question): Promise<Written> {
  const steps = figuresOf(understood).map((figure) => ({
    name: 'compare_servers',
    input: { ...understood.input, figure },
  }));
  const runs = await runAll(steps, asked);
  const failed = runs.find((run) => run.failed);
  if (failed !== undefined) return problem(failed, asked);
  const contents = runs.map(({ content }) => content);
  return joined(comparison(contents, understood, asked.context.now), runs);
}

/** Returns why a tool refused its input, such as an unknown name, with a question that works. */
function problem(run: ToolRun, { question, context }: Question): Written {
  const error = String(run.content['error']).replace(' Call list_servers for the names.', '');
  const words = escaped(error.replaceAll(/"([^"]*)"/g, '“$1”'), PROBLEM_CHARACTERS);
  const nearest = escaped(nearestQuestion(question, context.now, false));
  return {
    text: `**${/[.!…]$/.test(words) ? words : `${words}.`}** A question that works: **${nearest}**`,
    sources: [screens.servers()],
    charts: [],
  };
}
const PROBLEM_CHARACTERS = 400;

async function byTool(understood: Understood, asked: Question): Promise<Written> {
  const { tool, input, subject } = understood;
  const write = ANSWERS[subject];
  if (write === undefined) throw new TypeError(`There is no answer about ${subject}`);
  const run = await runStep({ name: tool, input }, asked);
  const word = input['search'] ?? input['node'];
  // "Check latency": a word that looks like no name, and is none, was not understood.
  if (!run.failed && run.content['total'] === 0 && typeof word === 'string' && !/[-_.\d ]/.test(word))
    return refusal(asked.question, [word], asked.context.now);
  if (run.failed) return (await otherOf(understood, asked)) ?? problem(run, asked);
  const { content, sources, charts } = run;
  return { text: write(content, understood, asked.context.now), sources, charts };
}

/** "Is shop.example.org up?" names a check or a cluster where no server has the name. */
async function otherOf(understood: Understood, asked: Question): Promise<Written | null> {
  const [search] = understood.names;
  const { figures } = understood;
  if (understood.subject !== 'server' || search === undefined) return null;
  const [by] = figures;
  const isOfCluster = figures.length === 1 && (by === 'cpu' || by === 'memory');
  if (figures.length > 0 && !isOfCluster) return null;
  for (const [subject, tool] of OTHERS) {
    if (isOfCluster && subject !== 'clusters') continue;
    const input = { search, ...(isOfCluster && { by }) };
    const run = await runStep({ name: tool, input }, asked);
    if (run.failed || run.content['total'] === 0) continue;
    const about: Understood = { ...understood, subject, tool, input };
    const text = ANSWERS[subject]?.(run.content, about, asked.context.now);
    if (text !== undefined) return { text, sources: run.sources, charts: run.charts };
  }
  return null;
}
const OTHERS = [
  ['checks', 'list_checks'],
  ['clusters', 'rank_clusters'],
] as const;
