import { styled } from '@mui/material/styles';
import { ChartsLayerContainer } from '@mui/x-charts/ChartsLayerContainer';

/** Places of a chart in px. */
export const MARGIN = { top: 14, right: 44, bottom: 24, left: 34 } as const;
export const LANE_PX = 18;
/** Room a letter takes at 11 px. */
export const LETTER_PX = 5.9;
/** Between a number and the plot. */
const TICK_GAP_PX = 6;
/** Width of the left axis: as its longest number needs, so that none is cut. */
export const axisPx = (names: readonly string[]): number =>
  Math.max(MARGIN.left, ...names.map((name) => Math.ceil(name.length * LETTER_PX) + TICK_GAP_PX));
/** Right of the plot when the series are named at their ends. */
export const NAMES_PX = 92;

/** One set of style rules for all parts of a chart, ours and the library's, selected by class. */
export const Canvas = styled(ChartsLayerContainer)(({ theme }) => {
  const { load, divider, text, info } = theme.vars.palette;
  const series = [
    load.series1,
    load.series2,
    load.series3,
    load.series4,
    load.series5,
    load.series6,
    load.series7,
    load.series8,
  ];
  return {
    fontSize: 11,
    fontVariantNumeric: 'tabular-nums',
    '& svg': { overflow: 'visible' },
    '& .surface': { position: 'absolute', inset: 0, width: '100%', height: '100%' },
    '& text, & .MuiChartsAxis-root .MuiChartsAxis-tickLabel': { fill: load.text3 },
    '& .MuiChartsGrid-line': { stroke: divider },
    '& .curve': { fill: 'none', strokeWidth: 1.5, strokeLinejoin: 'round', strokeLinecap: 'round' },
    '& .lone': { strokeWidth: 4 },
    '& .band': { stroke: 'none', opacity: 0.16 },
    ...Object.fromEntries(
      series.flatMap((colour, index) => [
        [`& .name.s${index + 1}`, { fill: text.primary }],
        [`& .swatch.s${index + 1}`, { fill: colour }],
        [`& .s${index + 1}`, { '--series': colour }],
        [`& .curve.s${index + 1}`, { stroke: colour }],
        [`& .band.s${index + 1}, & .dot.s${index + 1}`, { fill: colour }],
        [`& .ghost.s${index + 1}`, { stroke: colour, strokeDasharray: '2 3', opacity: 0.6 }],
      ]),
    ),
    '& .below': { stopColor: 'var(--series)' },
    '& .above': { stopColor: load.over },
    '& .load-line': { stroke: load.line, strokeWidth: 1, fill: 'none' },
    '& .load-mark': { stroke: load.line, strokeWidth: 1, fill: theme.vars.palette.background.paper },
    '& .load-name': { fill: text.primary },
    '& .critical-line': { stroke: load.control, strokeDasharray: '3 3' },
    '& .hatch': { stroke: load.edge, strokeWidth: 1 },
    '& .lacking': { fill: load.near },
    '& .tag': { fill: theme.vars.palette.background.paper, stroke: load.edge },
    '& .tag-text': { fill: text.secondary },
    '& .cursor': { stroke: text.secondary, strokeDasharray: '2 2' },
    '& .cursor-tag': { fill: theme.vars.palette.action.selected, stroke: load.edge },
    '& .cursor-text': { fill: text.primary },
    '& .dot': { stroke: theme.vars.palette.background.paper, strokeWidth: 1.5 },
    '& .last': { fill: theme.vars.palette.background.paper, strokeWidth: 1.5 },
    '& .brush': { fill: info.main, opacity: 0.16 },
    '& .over': { fill: load.over, color: load.over },
    '& .near': { fill: load.near, color: load.near },
    '& .quiet': { fill: load.stale, color: load.stale },
    '& .info': { fill: info.main, color: info.main },
    '& .event': { fill: 'none', stroke: load.text3, strokeWidth: 1.2 },
    // An outline keeps the number readable on the bar of an alert that lasts.
    '& .mark-count': {
      fill: text.primary,
      stroke: theme.vars.palette.background.paper,
      strokeWidth: 4,
      paintOrder: 'stroke',
    },
    '& .moment': { stroke: info.main, strokeWidth: 1.5, fill: 'none' },
    '& .moment .head': { stroke: 'none', fill: info.main },
    '& [role="button"], & [role="slider"]': { cursor: 'pointer' },
    '& [role="button"]:focus-visible, & [role="slider"]:focus-visible': { outline: `2px solid ${info.main}` },
    '& [role="slider"]:focus:not(:focus-visible)': { outline: 'none' },
  };
});
