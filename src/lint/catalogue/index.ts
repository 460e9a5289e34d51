import type { CatalogueEntry } from './entry.ts'
import { expressions } from './expressions.ts'
import { imports } from './imports.ts'
import { keys } from './keys.ts'
import { moreAlike } from './more-alike.ts'
import { presence } from './presence.ts'
import { project } from './project.ts'
import { secrets } from './secrets.ts'
import { skipped } from './skipped.ts'
import { unreadable } from './unreadable.ts'
import { values } from './values.ts'

/** Every code that a message about a build file can have. */
export const catalogue: readonly CatalogueEntry[] = [
  ...unreadable,
  ...keys,
  ...values,
  ...presence,
  ...secrets,
  ...expressions,
  ...skipped,
  ...imports,
  moreAlike,
  ...project,
]
