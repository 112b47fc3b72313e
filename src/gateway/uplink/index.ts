export { announceStop, Downlink } from './downlink.ts';
export { SessionRegistry } from './session-registry.ts';
export { Tokens } from './token.ts';
