import { fromLatin1, meaningByText, readUntil, type Simulator, writeFix } from '#codec';

const REPORT = '*AC,{id},P,{ddMMyy},{HHmmss},A,{place},{knots.1},{course},{ignition},12.6,#';

// TODO simulator: the device's side, from the vendor's document. What it reads is a command unless a pattern finds it.
export const simulator: Simulator = {
  report: ([fix], id) => fromLatin1(writeFix(REPORT, fix!, { id })),
  heartbeat: (id) => fromLatin1(`*AC,${id},H,#`),
  answer: (_, outcome, id) => fromLatin1(`*AC,${id},R,${outcome === 'done' ? 'OK' : 'ERROR'}#`),
  read: readUntil('#', meaningByText({ acknowledged: /^\*AC,ACK,/ })),
};
