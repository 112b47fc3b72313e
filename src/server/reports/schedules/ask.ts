import type { App } from '../../kernel/http/index.ts';

/** Operations of the REST API, with the permissions of the owner of a report. */
export interface Ask {
  /** Throws Refused. */
  json<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T>;
  /** Throws Refused. */
  file(path: string, body: object): Promise<Uint8Array>;
}

/** An operation has answered with a problem. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

export function askAs(app: App, token: string): Ask {
  const send = async (method: 'GET' | 'POST', path: string, accept: string, body?: object): Promise<Buffer> => {
    const answer = await app.inject({
      method,
      url: path,
      headers: { authorization: `Bearer ${token}`, accept },
      ...(body && { payload: body }),
    });
    if (answer.statusCode < 300) return answer.rawPayload;
    const { code = 'error', detail, title } = problemOf(answer.payload);
    throw new Refused(answer.statusCode, code, detail ?? title ?? `HTTP ${answer.statusCode}`);
  };
  return {
    json: async (method, path, body) => JSON.parse((await send(method, path, 'application/json', body)).toString()),
    file: (path, body) => send('POST', path, '*/*', body),
  };
}

function problemOf(text: string): { code?: string; detail?: string; title?: string } {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
