import type { Composed } from '../../buildfile/compose/compose-text.ts'
import { expandJobs } from '../../buildfile/expand/expand-jobs.ts'
import type { Plan } from '../../buildfile/expand/plan.ts'
import type { Normalized } from '../../buildfile/normal-form/normalize.ts'
import type { Context } from './context.ts'

/** A file for rules and fixes to look at. */
export function openContext(
  { root, prepared }: Composed,
  { config, messages, positions }: Normalized,
): Context {
  const made = new Map<unknown, unknown>()
  const context: Context = {
    text: prepared.text,
    root,
    config,
    messages,
    placeOf: (path) => positions(path)?.value,
    keyPlaceOf: (path) => positions(path)?.key,
    plan: () => context.once(planOf),
    once<T>(make: (context: Context) => T): T {
      if (!made.has(make)) made.set(make, make(context))
      return made.get(make) as T
    },
  }
  return context
}

function planOf({ config }: Context): Plan {
  return expandJobs(config)
}
