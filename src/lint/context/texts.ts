import type { Path } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'

export interface FoundText {
  value: string
  path: Path
}

/** The texts of the normal form that pass a test, which also receives the key or index of each text. */
export function findTexts(
  config: unknown,
  isWanted: (value: string, step: string | number | undefined) => boolean,
): FoundText[] {
  const found: FoundText[] = []
  // One mutable path for all texts: many are visited, and few are found.
  const path: (string | number)[] = []
  function visit(value: unknown): void {
    if (typeof value === 'string') {
      if (isWanted(value, path.at(-1))) found.push({ value, path: [...path] })
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
  return found
}
