export { type Applied, type ApplyDeps, applyRedecoded } from './apply.ts';
export { type PositionDecoder, type RedecodeReport, redecode } from './service.ts';
