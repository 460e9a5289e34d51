import { listOf, type Path } from '../../buildfile/expand/values.ts'
import { candidatesFrom, findMeant } from '../../buildfile/misspellings/misspelling.ts'
import { isMap } from '../../domain/config/config-value.ts'
import type { LintContext } from './context.ts'
import { allSections } from './sections.ts'

/** A job's stage that is missing from `stages`, and the similarly spelled entry of `stages`. */
export interface MisspeltStage {
  name: string
  meant: string
  path: Path
}

/** The misspelt stages of all jobs; call through `once`. */
export function misspeltStages({ config, once }: LintContext): readonly MisspeltStage[] {
  const known = new Map(namesIn(config.stages).map((name) => [name.toLowerCase(), name]))
  return once(allSections).flatMap(({ config: { stage: name }, path }) => {
    if (path.length === 0 || typeof name !== 'string' || known.has(name.toLowerCase())) return []
    // Stages that differ only in digits are numbered, not misspelt.
    const others = [...known.keys()].filter((other) => lettersOf(other) !== lettersOf(name))
    const meant = known.get(findMeant(name.toLowerCase(), candidatesFrom(others)) ?? '')
    return meant === undefined ? [] : [{ name, meant, path: [...path, 'stage'] }]
  })
}

function namesIn(stages: unknown): string[] {
  return listOf(stages).flatMap((entry) =>
    isMap(entry) && typeof entry.name === 'string' ? [entry.name] : [],
  )
}

const lettersOf = (name: string) => name.toLowerCase().replaceAll(/\d/g, '')
