import { z } from 'zod';

type Def = z.core.$ZodTypeDef & Readonly<Record<string, unknown>>;

/** Parts of a schema that contain further schemas. */
const PARTS = ['innerType', 'element', 'valueType', 'in', 'out', 'left', 'right'] as const;

/**
 * The same schema with objects that refuse unknown members, at every depth. Objects that accept any member on purpose
 * (a `catchall`) and records stay as they are.
 */
export function refuseUnknown(schema: z.ZodType): z.ZodType {
  const def = schema._zod.def as Def;
  const changed: Record<string, unknown> = {};
  if (def.type === 'object') {
    const shape = def['shape'] as Readonly<Record<string, z.ZodType>>;
    const strict = Object.fromEntries(Object.entries(shape).map(([name, part]) => [name, refuseUnknown(part)]));
    if (Object.entries(strict).some(([name, part]) => part !== shape[name])) changed['shape'] = strict;
    if (def['catchall'] === undefined) changed['catchall'] = z.never();
  }
  if (def.type === 'union') {
    const options = def['options'] as readonly z.ZodType[];
    const strict = options.map(refuseUnknown);
    if (strict.some((part, i) => part !== options[i])) changed['options'] = strict;
  }
  for (const name of PARTS) {
    const part = def[name];
    if (!(part instanceof z.core.$ZodType)) continue;
    const strict = refuseUnknown(part as z.ZodType);
    if (strict !== part) changed[name] = strict;
  }
  return Object.keys(changed).length === 0 ? schema : copy(schema, { ...def, ...changed });
}

/** Descriptions are kept; the id of a component belongs to the original. */
function copy(schema: z.ZodType, def: Def): z.ZodType {
  const made = schema.clone(def);
  const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {};
  if (Object.keys(meta).length > 0) z.globalRegistry.add(made, meta);
  return made;
}
