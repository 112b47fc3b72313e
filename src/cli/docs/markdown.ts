/** A table; nothing where there are no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

export const code = (text: string): string => (text === '' ? '' : `\`${text}\``);

export const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

/** A heading and what stands under it; nothing where that is empty. */
export const section = (title: string, ...content: readonly string[]): string => {
  const filled = content.filter((part) => part !== '');
  return filled.length === 0 ? '' : [`## ${title}`, ...filled].join('\n\n');
};

/** A generated page. */
export const page = (title: string, source: string, ...parts: readonly string[]): string =>
  `${[`# ${title}`, `<!-- Written by \`npm run docs\` from ${source}; what is changed here is lost. -->`, ...parts]
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
