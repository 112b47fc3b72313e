export * from '../counted-text.ts';
export * from '../escapes.ts';
export * from '../text-frame.ts';
export * from './delimited.ts';
export * from './enclosed.ts';
export * from './framing.ts';
export * from './length-prefixed.ts';
export * from './starts.ts';
