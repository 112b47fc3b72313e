import type { BarState } from './report.ts';

/** Readable without colors too: the more demanding the activity, the higher the bar. */
export const BAR_STYLES: Readonly<Record<BarState, { readonly colour: string; readonly height: number }>> = {
  rest: { colour: '#7fb77e', height: 0.35 },
  availability: { colour: '#f2c84b', height: 0.55 },
  work: { colour: '#5b8fd6', height: 0.75 },
  driving: { colour: '#d1495b', height: 1 },
  unknown: { colour: '#d9d9d9', height: 0.15 },
};
