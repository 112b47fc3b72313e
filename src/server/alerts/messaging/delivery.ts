export const CHANNELS = ['email', 'webhook', 'web_push', 'fcm'] as const;
export type Channel = (typeof CHANNELS)[number];

/** One message to one address, as stored. */
export interface Delivery {
  readonly id: string;
  readonly tenantId: number;
  readonly channel: Channel;
  /** e-mail address, URL, endpoint of a browser, token of an app */
  readonly address: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** attempts so far */
  readonly attempts: number;
  /** epoch ms */
  readonly createdAt: number;
  readonly giveUpAt: number;
}

/** Sends a delivery; returns the receiver's answer. Throws Undeliverable if a retry is of no use. */
export type Send = (delivery: Delivery, signal: AbortSignal) => Promise<string>;

/** The address will never accept it. */
export class Undeliverable extends Error {
  override readonly name = 'Undeliverable';
  /** the address is no longer valid for any message */
  readonly isGone: boolean;
  constructor(reason: string, isGone = false) {
    super(reason);
    this.isGone = isGone;
  }
}
