import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setHostCookie } from '../../http/index.ts';
import type { Seal } from '../single-sign-on/seal.ts';

/** What a login request says of the program that sends it. */
export interface LoginClient {
  readonly address: string;
  readonly requestId: string;
  /** the program by its own name */
  readonly userAgent?: string | undefined;
  /** the cookie of an earlier login of this program */
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
  /** of the accounts that have been used with it, by the names that were given */
  readonly accounts: readonly string[];
  readonly id: string;
}

/**
 * Cookies of programs that somebody has logged in with before (OWASP, "Slow Down Online Guessing Attacks with Device
 * Cookies"): their wrong passwords are counted apart from those of others, so that nobody else can lock them out.
 */
export interface DeviceCookies {
  /** Id of the program, if it has been used for the account. */
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
