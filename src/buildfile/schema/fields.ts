import type { Fields } from './data.ts'
import type { Schema } from './document.ts'
import type { EnumValue } from './values/type.ts'

/** Keywords about how a schema is read, not about its type. */
const reading: ReadonlySet<string> = new Set(['x-kind', 'x-form', 'x-single'])

/** The fields from the other keywords: `x-ignore-case` is the field `ignoreCase`. */
export function fieldsOf(schema: Schema): Fields {
  const own = Object.entries(schema)
    .filter(([keyword]) => keyword.startsWith('x-') && !reading.has(keyword))
    .map(([keyword, value]) => [fieldNamed(keyword), value])
  const { default: value } = schema
  return {
    ...(value === undefined ? {} : { defaults: [{ value }] }),
    ...(schema.required ? { required: schema.required } : {}),
    ...Object.fromEntries(own),
  }
}

function fieldNamed(keyword: string): string {
  return keyword.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The limits that a schema which refers to a scalar puts on its values. */
export function narrowed(schema: Schema): { values?: EnumValue[]; pattern?: string } {
  const values = (schema.anyOf ?? [schema]).flatMap(valuesOf)
  return {
    ...(values.length > 0 ? { values } : {}),
    ...(schema.pattern === undefined ? {} : { pattern: schema.pattern }),
  }
}

function valuesOf(form: Schema): EnumValue[] {
  if (form.enum) return form.enum.map((value) => ({ value }))
  if (form.const === undefined) return []
  const { flags = [], ...fields } = fieldsOf(form)
  return [
    { value: form.const, ...fields, ...Object.fromEntries(flags.map((flag) => [flag, true])) },
  ]
}
