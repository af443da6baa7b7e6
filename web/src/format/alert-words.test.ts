import { describe, expect, it } from 'vitest';
import { alertFigure } from './alert-words.ts';

const figure = (metric_name: string, current_value: number | null, threshold_value: number | null) =>
  alertFigure({ metric_name, current_value, threshold_value });

describe('alertFigure', () => {
  it('writes per cents with one place and their unit', () => {
    expect(figure('cpu_usage', 91.42, 80)).toEqual({ value: '91.4', threshold: '80', unit: '%', percent: true });
  });

  it('writes counts whole', () => {
    expect(figure('pod_restarts', 14, 5)).toMatchObject({ value: '14', threshold: '5', unit: '' });
  });

  it('keeps the unknown unknown', () => {
    expect(figure('offline', null, null)).toMatchObject({ value: null, threshold: null });
  });
});
