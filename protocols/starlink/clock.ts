/** Epoch ms of a text in a format of the letters y, M, d, H, m and s; UTC. Undefined where it does not fit. */
export function timeOf(text: string, format: string): number | undefined {
  if (text.length !== format.length) return undefined;
  const part = (letter: string): number => {
    const from = format.indexOf(letter);
    return from < 0 ? 0 : Number(text.slice(from, format.lastIndexOf(letter) + 1));
  };
  const year = part('y');
  const time = Date.UTC(year < 100 ? 2000 + year : year, part('M') - 1, part('d'), part('H'), part('m'), part('s'));
  return Number.isFinite(time) ? time : undefined;
}
