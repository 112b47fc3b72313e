const DAY = 86_400_000;

/** Formats instants; the text of the date is cached for consecutive instants of one day. */
class InstantFormat {
  #day = Number.NaN;
  #date = '';

  of(epochMs: number): string {
    const day = Math.floor(epochMs / DAY);
    if (day !== this.#day) {
      const text = new Date(epochMs).toISOString();
      if (text.length !== 24) throw new RangeError(`not a time in the years 0 to 9999: ${epochMs}`);
      this.#day = day;
      this.#date = text.slice(0, 11);
    }
    const ms = Math.floor(epochMs - day * DAY);
    const seconds = Math.floor(ms / 1000);
    const fraction = ms % 1000;
    return `${this.#date}${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${
      fraction === 0 ? 'Z' : `.${String(fraction).padStart(3, '0')}Z`
    }`;
  }
}

const instants = new InstantFormat();

/** RFC 3339 UTC of epoch ms; milliseconds only where there are any. Throws RangeError outside of years 0 to 9999. */
export const formatInstant = (epochMs: number): string => instants.of(epochMs);

const two = (n: number): string => (n < 10 ? `0${n}` : `${n}`);

/** First and last instant that records and the texts of their times hold, of the years 0 to 9999. Epoch ms. */
export const EARLIEST = -62_167_219_200_000;
export const LATEST = 253_402_300_799_999;

/** Whether a number is such an instant, in whole ms. */
export const isInstant = (ms: number): boolean => ms >= EARLIEST && ms <= LATEST && Math.floor(ms) === ms;
