import { vi } from 'vitest';
import type { RunningApi } from './api.ts';

/** What is uploaded is analysed when it has been quiet for a while. */
export async function untilAnalysed(api: RunningApi, fileId: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const { body } = await api.get(`/v1/drivers/ddd/files/${fileId}`);
      if (body.status !== 'analysed') throw new Error(`${fileId} is ${body.status}`);
    },
    { timeout: 60_000, interval: 100 },
  );
}
