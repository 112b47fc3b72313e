const LETTERS = 'yMdHms';

/** Epoch ms of a text in a format of the letters y, M, d, H, m and s; UTC. Undefined where it does not fit. */
export function timeOf(text: string, format: string): number | undefined {
  if (text.length !== format.length) return undefined;
  const parts: [number, number, number, number, number, number] = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < format.length; at++) {
    const part = LETTERS.indexOf(format[at]!);
    if (part < 0) continue;
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return undefined;
    parts[part] = parts[part]! * 10 + digit;
  }
  const [year, month, day, hour, minute, second] = parts;
  const time = Date.UTC(year < 100 ? 2000 + year : year, month - 1, day, hour, minute, second);
  return Number.isFinite(time) ? time : undefined;
}
