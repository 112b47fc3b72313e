export { openEgts } from './egts/index.ts';
export { problemsOfEgts, problemsOfWialon, type TargetProblem } from './settings.ts';
export { openWialon } from './wialon/index.ts';
