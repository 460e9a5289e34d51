import type { Settings } from '../../domain/settings.ts'
import { workOf } from '../../reader/work.ts'
import { type BuildPlan, type PlannedEvent, planBuild } from './plan-build.ts'
import { readTexts, type Texts } from './read-texts.ts'
import type { Wanted } from './read-with-imports.ts'

/** All data that a plan is made from. */
export interface PlanInput extends Texts {
  event: PlannedEvent
  settings: Settings
}

/** Reads a build file with its imports, as far as they are loaded, and plans its build. */
export const planWork = workOf(
  import.meta.url,
  'planWork',
  async (input: PlanInput): Promise<{ plan: BuildPlan } | Wanted> => {
    const done = await readTexts(input, input.event.data)
    if ('wanted' in done) return done
    return { plan: planBuild(done.read, input.event, input.settings) }
  },
)
