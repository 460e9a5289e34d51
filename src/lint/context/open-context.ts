import { outlineJobs } from '../../buildfile/expand/expand-jobs.ts'
import type { Outline } from '../../buildfile/expand/plan.ts'
import type { ReadableFile } from '../../buildfile/read-build-file.ts'
import type { LintContext } from './context.ts'

/** Opens a file for rules and fixes. */
export function openContext(file: ReadableFile): LintContext {
  const { root, prepared, config, messages, positions } = file
  const made = new Map<unknown, unknown>()
  const context: LintContext = {
    text: prepared.text,
    root,
    config,
    messages,
    spanOf: (path) => positions(path)?.value,
    keySpanOf: (path) => positions(path)?.key,
    plan: () => context.once(planOf),
    once<T>(make: (context: LintContext) => T): T {
      if (!made.has(make)) made.set(make, make(context))
      return made.get(make) as T
    },
  }
  return context
}

function planOf({ config }: LintContext): Outline {
  return outlineJobs(config)
}
