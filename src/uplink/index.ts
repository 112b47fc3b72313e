export { Downlink, type OnlineConnection } from './downlink.ts';
export { Tokens } from './token.ts';
