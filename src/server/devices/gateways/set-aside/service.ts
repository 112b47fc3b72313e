import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { SetAsideOutcome, SetAsideRequest } from '../../../../contract/set-aside.ts';
import { AppError } from '../../../../platform/errors.ts';
import { type Listener, transaction } from '../../../database/index.ts';
import { isConnected, sendRequest, storeAnswer, takeAnswer } from './store.ts';

/** Longer than a gateway waits for the outcome of a replay. */
const ANSWER_MS = 10_000;

export interface SetAsideService {
  /**
   * Sends a request to a gateway through the process in which its downlink ends. Undefined if the gateway has not
   * answered in time and may still execute it. Throws `unknown-set-aside-record`, or `unavailable` if the gateway is
   * not connected.
   */
  ask(gateway: string, what: SetAsideRequest['do'], id: string): Promise<SetAsideOutcome | undefined>;
  answered(gateway: string, request: string, answer: SetAsideOutcome): Promise<void>;
}

export function createSetAsideService(pool: pg.Pool, listener: Listener, answerMs = ANSWER_MS): SetAsideService {
  const waiting = new Map<string, () => void>();
  listener.on('fleetgate_gateway_answer', (request) => waiting.get(request)?.());
  // an answer may have been missed: it is in the table
  listener.onGap(() => {
    for (const wake of waiting.values()) wake();
  });
  return {
    async ask(gateway, what, id) {
      const request = randomUUID();
      const { woken, forget } = wait(waiting, request, answerMs);
      try {
        await transaction(pool, async (tx) => {
          const connected = await isConnected(tx, gateway);
          if (connected === undefined) throw new AppError('unknown-set-aside-record', 'There is no such gateway');
          if (!connected) throw new AppError('unavailable', 'The gateway is not connected', [], 10);
          await sendRequest(tx, gateway, { type: 'set-aside', request, do: what, id });
        });
        await woken;
      } finally {
        forget();
      }
      const answer = await takeAnswer(pool, request);
      if (answer?.outcome === 'unknown') throw new AppError('unknown-set-aside-record');
      if (answer?.outcome === 'failed')
        throw new AppError('unavailable', `The gateway could not do it: ${answer.detail}`);
      return answer;
    },
    answered: (gateway, request, answer) => storeAnswer(pool, gateway, request, answer),
  };
}

function wait(waiting: Map<string, () => void>, request: string, ms: number) {
  let wake = (): void => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const timer = setTimeout(wake, ms);
  waiting.set(request, wake);
  const forget = (): void => {
    clearTimeout(timer);
    waiting.delete(request);
  };
  return { woken, forget };
}
