import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/**
 * Settings of a YAML file, under their names in upper or lower case:
 *
 *     port: 8080
 *     protocols: [teltonika, gt06]
 *     API_KEY_FILE: /run/secrets/api-key
 *
 * Lists are those that are comma-separated in the environment, objects those that are JSON. Problems are added to `problems`.
 */
export function readConfigFile(path: string, problems: string[]): Record<string, string> {
  const settings: Record<string, string> = {};
  let content: unknown;
  try {
    content = parse(readFileSync(path, 'utf8'));
  } catch (error) {
    problems.push(`CONFIG_FILE: ${path}: ${(error as Error).message.split('\n', 1)[0]}`);
    return settings;
  }
  if (content === null || content === undefined) return settings;
  if (typeof content !== 'object' || Array.isArray(content)) {
    problems.push(`CONFIG_FILE: ${path}: must have one setting per line, as name: value`);
    return settings;
  }
  for (const [given, value] of Object.entries(content)) {
    const name = given.toUpperCase();
    if (settings[name] !== undefined) problems.push(`CONFIG_FILE: ${path}: ${name} stands there twice`);
    const text = textOf(value);
    if (text !== '') settings[name] = text;
  }
  return settings;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
