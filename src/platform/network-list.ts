import { isIP } from 'node:net';

/** Whether a text is a list of addresses and networks, `10.0.0.0/8, 2001:db8::/32`; an empty one is valid. */
export function isNetworkList(text: string): boolean {
  if (text.trim() === '') return true;
  return text.split(',').every((network) => {
    const [host = '', bits, ...rest] = network.trim().split('/');
    const version = isIP(host);
    if (version === 0 || rest.length > 0) return false;
    return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
  });
}
