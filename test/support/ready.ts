/** Every check of /readyz holds, also those without which traffic is served. */
export async function isWhole(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`).catch(() => undefined);
  if (answer === undefined) return false;
  const { status } = (await answer.json()) as { status: string };
  return status === 'ready';
}
