export interface StreamEvent {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: each type has its own members
  readonly data: any;
}

function takeFrame(frame: string, take: (event: StreamEvent, id: string | undefined) => void): void {
  let [type, data, id]: (string | undefined)[] = [];
  for (let start = 0; start < frame.length; ) {
    const lineEnd = frame.indexOf('\n', start);
    const end = lineEnd === -1 ? frame.length : lineEnd;
    const colon = frame.indexOf(':', start);
    if (colon > start && colon < end) {
      const value = frame.slice(frame[colon + 1] === ' ' ? colon + 2 : colon + 1, end);
      const name = frame.slice(start, colon);
      if (name === 'event') type = value;
      else if (name === 'data') data = value;
      else if (name === 'id') id = value;
    }
    start = end + 1;
  }
  if (type !== undefined && data !== undefined) take({ type, data: JSON.parse(data) }, id);
}

/** Takes frames of server-sent events apart. Returns the rest that is not complete yet. */
export function takeFrames(text: string, take: (event: StreamEvent, id: string | undefined) => void): string {
  let start = 0;
  for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n', start)) {
    takeFrame(text.slice(start, end), take);
    start = end + 2;
  }
  return text.slice(start);
}
