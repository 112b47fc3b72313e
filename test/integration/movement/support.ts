import type { Fix } from '../../../src/server/movement/track/fixes.ts';
import type { RunningApi } from '../../support/api.ts';

/** Stores fixes of a device, in the order given. */
export async function store(
  api: RunningApi,
  imei: string,
  fixes: readonly Fix[],
  over: (fix: Fix, n: number) => object = () => ({}),
): Promise<void> {
  for (let i = 0; i < fixes.length; i += 1_000) {
    const positions = fixes.slice(i, i + 1_000).map((fix, n) => {
      const time = new Date(fix.at).toISOString();
      return {
        deviceId: imei,
        fixTime: time,
        deviceTime: time,
        valid: true,
        latitude: fix.latitude,
        longitude: fix.longitude,
        ...(fix.speed === undefined ? {} : { speed: fix.speed }),
        attributes: fix.ignition === undefined ? {} : { ignition: fix.ignition },
        ...over(fix, i + n),
      };
    });
    const { status, body } = await api.send('POST', '/v1/positions', { positions });
    if (status !== 200 || body.rejected.length > 0) throw new Error(JSON.stringify(body));
  }
}
