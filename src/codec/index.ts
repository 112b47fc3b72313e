export * from './checksums.ts';
export type * from './contract.ts';
export * from './driver.ts';
export * from './errors.ts';
export * from './hmac.ts';
export type * from './messages.ts';
export * from './reader.ts';
export * from './writer.ts';
export * from './zone.ts';
