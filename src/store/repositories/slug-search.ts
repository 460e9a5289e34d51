import { type RawBuilder, sql } from 'kysely'

/** Whether the slug of a row of `repositories` contains this text, in any case. A backslash stands for a slash. */
export function slugContains(text: string): RawBuilder<boolean> {
  const escaped = text
    .toLowerCase()
    .replaceAll('\\', '/')
    .replaceAll(/[%_]/g, String.raw`\$&`)
  return sql<boolean>`lower(repositories.owner_name) || '/' || lower(repositories.name)
    like ${`%${escaped}%`}`
}
