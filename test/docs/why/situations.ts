import { conditions } from './conditions.ts'
import { files } from './files.ts'
import { pulls } from './pulls.ts'
import { pushes } from './pushes.ts'
import type { Situation } from './situation.ts'
import { waits } from './waits.ts'

/** All of them, in the order of the page. */
export const situations: readonly Situation[] = [
  ...pushes,
  ...conditions,
  ...files,
  ...pulls,
  ...waits,
]
