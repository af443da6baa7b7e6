/** Lines of the example: the default warning threshold, in per cent. */
export const EXAMPLE_LINE = 80;

/** An invented fleet, most loaded first: per cent of the resource nearest to its line. */
export const EXAMPLE_FLEET: readonly number[] = [
  93, 88, 84, 78.6, 77.4, 74.2, 71.3, 69.8, 66.9, 64.7, 63.2, 60.6, 57.7, 55.7, 53.9, 50.8, 50.4, 47.6, 46.4, 44.8,
  42.5, 40.9, 39.3, 37.8, 35.9, 33.4, 32, 30.4, 29.5, 28.9, 28, 26, 24.1, 22.9, 22.5, 20.6, 19.7, 19.5, 17.8, 18.4,
  17.1, 16.2, 15.9, 14.7, 14.4, 13.8, 14, 14,
];

export type ExampleBand = 'over' | 'near' | 'clear';
/** Over the line, within 20 points of it, or clear. */
export const exampleBand = (percent: number): ExampleBand =>
  percent >= EXAMPLE_LINE ? 'over' : percent >= EXAMPLE_LINE - 20 ? 'near' : 'clear';

export const exampleCount = (band: ExampleBand) => EXAMPLE_FLEET.filter((each) => exampleBand(each) === band).length;
