import { ApiProblem, CONSOLE_HEADERS, toLogin } from '../api.ts';

interface Wanted {
  readonly path: string;
  /** the body of a POST; without it a GET */
  readonly body?: object;
  readonly name: string;
}

/** Lets the browser save what the API answers. Throws ApiProblem. */
export async function saveFile({ path, body, name }: Wanted): Promise<void> {
  const headers = { ...CONSOLE_HEADERS, accept: '*/*' };
  const response = await fetch(
    path,
    body === undefined
      ? { headers }
      : { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) },
  );
  if (response.status === 401) toLogin();
  if (!response.ok) throw new ApiProblem(response.status, (await response.json()).detail ?? `HTTP ${response.status}`);
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
