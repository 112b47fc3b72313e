/** What a value of the vendor's list is called here (docs/vocabulary.md), and what makes it the vocabulary's unit. */
export type Element =
  | { readonly is: 'number'; readonly key: string; readonly factor: number }
  | { readonly is: 'flag'; readonly key: string }
  /** raised while the value is not zero */
  | { readonly is: 'alarm'; readonly alarm: string };

// TODO elements: the vendor's list, with its clause. What is not here is reported under `io<number>`.
export const ELEMENTS: Readonly<Record<number, Element>> = {
  1: { is: 'flag', key: 'ignition' },
  2: { is: 'number', key: 'power', factor: 1 / 1000 },
  3: { is: 'number', key: 'odometer', factor: 1 },
  9: { is: 'alarm', alarm: 'sos' },
};
