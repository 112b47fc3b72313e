import { bounds } from './bounds.ts';
import { commands, parameters } from './commands.ts';
import { integrity, noise, recovery } from './damage.ts';
import { effects } from './effects.ts';
import { form } from './form.ts';
import { badFrames, badStreams } from './garbage.ts';
import { chunks, facts, golden, repetition } from './golden.ts';
import { identification } from './identify.ts';
import { notInvented } from './invented.ts';
import { kept, replied } from './kept.ts';
import { linearWork } from './linear-work.ts';
import { missingTime } from './missing-time.ts';
import { options } from './options.ts';
import { plausible } from './plausible.ts';
import { isolation, purity } from './purity.ts';
import { rounded } from './rounded.ts';
import { several } from './several.ts';
import { vocabulary } from './shape.ts';
import { answers, replies, roundTrip } from './simulator.ts';
import { storable } from './storable.ts';
import type { Rule } from './subject.ts';

/**
 * What holds for every protocol. Each rule returns its violations; an empty list where it holds. The first two concern the
 * fixtures, which the others use.
 */
export const rules: readonly Rule[] = [
  facts,
  golden,
  options,
  chunks,
  repetition,
  noise,
  recovery,
  integrity,
  badFrames,
  bounds,
  badStreams,
  linearWork,
  purity,
  isolation,
  vocabulary,
  storable,
  commands,
  effects,
  parameters,
  roundTrip,
  replies,
  answers,
  form,
  identification,
  kept,
  notInvented,
  missingTime,
  replied,
  several,
  plausible,
  rounded,
];
