export { type PositionDecoder, type RedecodeReport, redecode } from './service.ts';
