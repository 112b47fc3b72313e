/** A fix in a track file. */
export interface TrackPoint {
  /** RFC 3339 */
  readonly time: string;
  readonly latitude: number;
  readonly longitude: number;
  /** km/h */
  readonly speed: number | undefined;
  /** degrees */
  readonly course: number | undefined;
  readonly ignition: boolean | undefined;
  /** m above mean sea level */
  readonly altitude: number | undefined;
}

/** Writes a track as a stream, without keeping it. `breakHere` marks a gap. */
export interface TrackWriter {
  head(name: string): string;
  point(point: TrackPoint): string;
  breakHere(): string;
  tail(): string;
}

export interface TrackFormat {
  readonly mediaType: string;
  readonly extension: string;
  writer(): TrackWriter;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Text in XML; characters that it cannot hold become U+FFFD. */
export const xml = (text: string): string =>
  text
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 cannot hold
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');
