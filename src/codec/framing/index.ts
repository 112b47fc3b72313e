export * from '../counted-text.ts';
export * from '../escapes.ts';
export * from '../text-frame.ts';
