import { listOf, type Path } from '../../buildfile/expand/values.ts'
import { candidatesFrom, findMeant } from '../../buildfile/misspellings/misspelling.ts'
import { isMap } from '../../domain/config-value.ts'
import type { Context } from './context.ts'
import { allSections } from './sections.ts'

/** The stage of a job that is not among `stages`, and the one there that is spelt almost so. */
export interface MisspeltStage {
  name: string
  meant: string
  path: Path
}

/** Those of all jobs; ask for them by `once`. */
export function misspeltStages({ config, once }: Context): readonly MisspeltStage[] {
  const known = new Map(namesIn(config.stages).map((name) => [name.toLowerCase(), name]))
  return once(allSections).flatMap(({ config: { stage: name }, path }) => {
    if (path.length === 0 || typeof name !== 'string' || known.has(name.toLowerCase())) return []
    // Stages that are numbered differ in no letter.
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
