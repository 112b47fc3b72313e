import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setHostCookie } from '../../http/index.ts';
import type { Seal } from '../single-sign-on/seal.ts';

/** The client of a login request. */
export interface LoginClient {
  readonly address: string;
  readonly requestId: string;
  /** value of the User-Agent header */
  readonly userAgent?: string | undefined;
  /** device cookie of an earlier login of this client */
  readonly device?: string | undefined;
}

const COOKIE = 'fleetgate_device';
const COOKIE_SECONDS = 180 * 86_400;
const USER_AGENT_LENGTH = 200;

export const clientOf = (request: FastifyRequest): LoginClient => ({
  address: request.ip,
  requestId: request.id,
  userAgent: request.headers['user-agent']?.slice(0, USER_AGENT_LENGTH),
  device: readCookie(request, COOKIE),
});

export const setDeviceCookie = (reply: FastifyReply, device: string | undefined): FastifyReply =>
  device === undefined ? reply : setHostCookie(reply, { name: COOKIE, value: device, seconds: COOKIE_SECONDS });

export interface DeviceCookie {
  /** login names of the accounts that have logged in with it */
  readonly accounts: readonly string[];
  readonly id: string;
}

/**
 * Device cookies (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"): wrong passwords of a client that
 * has logged in before are counted separately, so that other clients cannot lock it out.
 */
export interface DeviceCookies {
  /** Id of the client, or undefined if it has not logged in to the account before. */
  idOf(cookie: string | undefined, account: string): Promise<string | undefined>;
  issue(accounts: readonly string[]): Promise<string>;
}

export const createDeviceCookies = (seal: Seal<DeviceCookie>): DeviceCookies => ({
  async idOf(cookie, account) {
    const device = cookie === undefined ? undefined : await seal.open(cookie);
    return device?.accounts.includes(account) === true ? device.id : undefined;
  },
  issue: (accounts) =>
    seal.close({ accounts: [...new Set(accounts)], id: randomBytes(9).toString('base64url') }, COOKIE_SECONDS),
});
