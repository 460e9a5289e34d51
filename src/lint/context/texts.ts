import type { Path } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'
import type { LintContext } from './context.ts'

export interface FoundText {
  text: string
  path: Path
}

export interface FoundTexts {
  /** The texts under `if`. */
  conditions: readonly FoundText[]
  /** Texts that may have been written as numbers or truth values. */
  read: readonly FoundText[]
}

/** The texts of the normal form that are looked for, found in one walk; call through `once`. */
export function foundTexts({ config }: LintContext): FoundTexts {
  const conditions: FoundText[] = []
  const read: FoundText[] = []
  // One mutable path for all texts: many are visited, and few are found.
  const path: (string | number)[] = []
  function visit(value: unknown): void {
    if (typeof value === 'string') {
      if (path.at(-1) === 'if') conditions.push({ text: value, path: [...path] })
      if (looksRead.test(value)) read.push({ text: value, path: [...path] })
    } else if (Array.isArray(value)) {
      value.forEach((entry, index) => step(index, entry))
    } else if (isMap(value)) {
      for (const [key, inner] of Object.entries(value)) step(key, inner)
    }
  }
  function step(to: string | number, value: unknown): void {
    path.push(to)
    visit(value)
    path.pop()
  }
  visit(config)
  return { conditions, read }
}

const looksRead = /^(?:-?\d+(?:\.\d+)?|true|false)$/
